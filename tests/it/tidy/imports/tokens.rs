//! The tokens of a Rust file: without what only tests compile, and the paths written in them.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Tokens without the items, fields and arms that stand under `#[cfg(test)]`.
pub(super) fn without_tests(tokens: TokenStream) -> TokenStream {
    let mut kept: Vec<TokenTree> = Vec::new();
    let mut rest = tokens.into_iter().peekable();
    while let Some(token) = rest.next() {
        let attribute = is_punct(&token, '#')
            && rest.peek().is_some_and(|next| is_group(next, Delimiter::Bracket));
        if attribute && rest.peek().is_some_and(is_for_tests) {
            without_attributes(&mut kept);
            skip_one(&mut rest);
            continue;
        }
        kept.push(match token {
            TokenTree::Group(group) => {
                let inside = without_tests(group.stream());
                let mut new = proc_macro2::Group::new(group.delimiter(), inside);
                new.set_span(group.span());
                TokenTree::Group(new)
            }
            other => other,
        });
    }
    kept.into_iter().collect()
}

/// Takes the attributes at the end away, comments for documentation among them.
fn without_attributes(kept: &mut Vec<TokenTree>) {
    while let [.., sign, group] = &kept[..]
        && is_punct(sign, '#')
        && is_group(group, Delimiter::Bracket)
    {
        kept.truncate(kept.len() - 2);
    }
}

/// Passes over what the attribute stands at: an item to its body or semicolon, a field, variant or
/// arm to its comma.
fn skip_one(rest: &mut impl Iterator<Item = TokenTree>) {
    const ITEMS: [&str; 10] =
        ["fn", "mod", "use", "impl", "struct", "enum", "trait", "type", "const", "static"];
    let mut is_item = false;
    for token in rest {
        is_item |= matches!(&token, TokenTree::Ident(i) if ITEMS.iter().any(|item| i == item));
        let comma = is_punct(&token, ',') && !is_item;
        if comma || is_punct(&token, ';') || is_group(&token, Delimiter::Brace) {
            return;
        }
    }
}

/// Whether `[…]` after a `#` is a `cfg` that only holds in tests.
fn is_for_tests(attribute: &TokenTree) -> bool {
    let TokenTree::Group(attribute) = attribute else { return false };
    let text = attribute.stream().to_string().replace(' ', "");
    text == "cfg(test)" || text.starts_with("cfg(all(test,")
}

fn is_punct(token: &TokenTree, wanted: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == wanted)
}

fn is_group(token: &TokenTree, wanted: Delimiter) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == wanted)
}

/// A path as it is written, `a::b::C`, and the line it begins on.
pub(super) struct Path {
    pub(super) segments: Vec<String>,
    pub(super) line: usize,
}

/// The names that some tokens use.
#[derive(Default)]
pub(super) struct Written {
    /// Paths, those in macros and in the texts of attributes among them.
    pub(super) paths: Vec<Path>,
    /// Macros that are called.
    pub(super) macros: Vec<Path>,
    /// `use` declarations in the bodies of functions.
    pub(super) uses: Vec<syn::ItemUse>,
}

/// Reads the names in the tokens of an item.
pub(super) fn written(tokens: TokenStream) -> Written {
    let mut found = Written::default();
    found.scan(tokens);
    found
}

impl Written {
    fn scan(&mut self, tokens: TokenStream) {
        let all: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < all.len() {
            match &all[at] {
                TokenTree::Ident(ident) if ident == "use" => at = self.declaration(&all, at),
                TokenTree::Ident(_) => at = self.path(&all, at),
                TokenTree::Group(group) => {
                    let attribute = at > 0 && is_punct(&all[at - 1], '#');
                    if attribute {
                        self.texts(group.stream());
                    }
                    self.scan(group.stream());
                    at += 1;
                }
                _ => at += 1,
            }
        }
    }

    /// A `use …;`; what only looks like one, as in `impl Trait + use<'a>`, is passed over.
    fn declaration(&mut self, all: &[TokenTree], at: usize) -> usize {
        let end = (at..all.len()).find(|i| is_punct(&all[*i], ';')).unwrap_or(all.len() - 1);
        let tokens: TokenStream = all[at..=end].iter().cloned().collect();
        match syn::parse2::<syn::ItemUse>(tokens) {
            Ok(item) => {
                self.uses.push(item);
                end + 1
            }
            Err(_) => at + 1,
        }
    }

    fn path(&mut self, all: &[TokenTree], at: usize) -> usize {
        let mut segments = Vec::new();
        let mut next = at;
        let line = all[at].span().start().line;
        while let Some(TokenTree::Ident(ident)) = all.get(next) {
            segments.push(ident.to_string().trim_start_matches("r#").to_owned());
            next += 1;
            let colons = all.get(next).is_some_and(|t| is_punct(t, ':'))
                && all.get(next + 1).is_some_and(|t| is_punct(t, ':'));
            if !colons {
                break;
            }
            next += 2;
        }
        // A field or method, `x.name`, and the rest of `<T>::name` are looked up in no module.
        let of_a_value = at > 0 && (is_punct(&all[at - 1], '.') && !range(all, at));
        let of_a_type = at > 1 && is_punct(&all[at - 1], ':') && is_punct(&all[at - 2], ':');
        // A field's name before its type or value.
        let of_a_field = segments.len() == 1 && all.get(next).is_some_and(|t| is_punct(t, ':'));
        if all.get(next).is_some_and(|t| is_punct(t, '!')) {
            self.macros.push(Path { segments, line });
        } else if !of_a_value && !of_a_type && !of_a_field {
            self.paths.push(Path { segments, line });
        }
        next.max(at + 1)
    }

    /// Texts of an attribute that are paths: `#[serde(with = "a::b")]`.
    fn texts(&mut self, tokens: TokenStream) {
        let attribute = tokens.to_string();
        if attribute.starts_with("doc") {
            return;
        }
        for token in flat(tokens) {
            let TokenTree::Literal(literal) = &token else { continue };
            let text = literal.to_string();
            let Some(text) = text.strip_prefix('"').and_then(|t| t.strip_suffix('"')) else {
                continue;
            };
            let is_path = text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == ':');
            if is_path && !text.is_empty() {
                let segments = text.split("::").map(str::to_owned).collect();
                self.paths.push(Path { segments, line: token.span().start().line });
            }
        }
    }
}

/// Whether the dot before `at` belongs to `..`.
fn range(all: &[TokenTree], at: usize) -> bool {
    at > 1 && is_punct(&all[at - 2], '.')
}

fn flat(tokens: TokenStream) -> Vec<TokenTree> {
    let mut found = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => found.extend(flat(group.stream())),
            other => found.push(other),
        }
    }
    found
}

/// What a block of methods calls on `self` and `Self`.
pub(super) fn own_calls(tokens: TokenStream) -> Vec<Path> {
    let all: Vec<TokenTree> = tokens.into_iter().collect();
    let mut found = Vec::new();
    for (at, token) in all.iter().enumerate() {
        let is = |back: usize, word: &str| {
            at >= back && matches!(&all[at - back], TokenTree::Ident(ident) if ident == word)
        };
        match token {
            TokenTree::Group(group) => found.extend(own_calls(group.stream())),
            TokenTree::Ident(name) => {
                let on_value = is(2, "self") && is_punct(&all[at - 1], '.');
                let on_type = is(3, "Self") && is_punct(&all[at - 1], ':');
                let of = if on_value { "self" } else { "Self" };
                if on_value || on_type {
                    let segments = vec![of.to_owned(), name.to_string()];
                    found.push(Path { segments, line: name.span().start().line });
                }
            }
            _ => {}
        }
    }
    found
}
