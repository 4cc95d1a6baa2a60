-- The prompts and resources that each server listed last, beside its tools.
ALTER TABLE mcp_servers ADD COLUMN offers TEXT;
