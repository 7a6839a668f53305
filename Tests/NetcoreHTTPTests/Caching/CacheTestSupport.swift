import NetcoreHTTP
import NetcoreSupport

/// 2025-06-15 12:00:00 GMT, the moment at which the answers of these tests come.
let noon: Int64 = 1_749_988_800

/// A moment so many milliseconds after noon.
func at(_ milliseconds: Int64 = 0, boot: UInt64 = 7) -> Timestamp {
    Timestamp(wall: noon * 1000 + milliseconds, uptime: 1_000_000 + milliseconds, boot: boot)
}

func seconds(_ count: Int64) -> Timestamp { at(count * 1000) }

/// A date so many seconds after noon.
func date(_ seconds: Int64 = 0) -> String { HTTPDate.format(noon + seconds) }

func block(_ fields: [(String, String)]) -> FieldBlock {
    let result = FieldBlock()
    for (name, value) in fields { result.append(name, value) }
    return result
}

/// Field lines "Name: value".
func block(_ lines: String...) -> FieldBlock { block(lines) }

func block(_ lines: [String]) -> FieldBlock {
    block(
        lines.map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), String(parts.last ?? "").trimmingPrefix { $0 == " " }.description)
        })
}

func text(_ fields: FieldBlock, _ name: String) -> String? { Headers(fields)[name] }

func names(_ fields: FieldBlock) -> [String] { Headers(fields).map { $0.name.lowercased() } }
