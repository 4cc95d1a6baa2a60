use kernel::code::ErrorCode;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::fixture::Fixture;

#[test]
fn looking_at_long_files_before_a_change_ends_when_the_user_presses_stop() {
    let mut f = Fixture::new();
    f.policy.max_write_bytes = 10;
    f.put("project/long.bin", "longer than what may be written").put("project/folder/a.bin", "x");
    let (running, stopped) = (CancellationToken::new(), CancellationToken::new());
    stopped.cancel();
    for (tool, args) in [
        ("fs.delete", json!({ "path": "@project/long.bin" })),
        ("fs.delete", json!({ "path": "@project/folder", "recursive": true })),
        ("fs.move", json!({ "from": "@project/long.bin", "to": "@project/other.bin" })),
        ("fs.move", json!({ "from": "@project/folder", "to": "@project/other" })),
        ("fs.write", json!({ "path": "@project/long.bin", "content": "short" })),
    ] {
        let permit = f.permit(tool, &args, None);
        assert!(f.host.prepare_until(&permit, &running).is_ok(), "{args}");
        assert!(f.host.preview_until(&permit, &running).is_ok(), "{args}");
        let failure = f.host.prepare_until(&permit, &stopped).unwrap_err();
        assert_eq!(failure.code, ErrorCode::EngineAborted, "{args}");
        let failure = f.host.preview_until(&permit, &stopped).unwrap_err();
        assert_eq!(failure.code, ErrorCode::EngineAborted, "{args}");
    }
}
