internal import NetcoreHTTP

extension NetcoreError {
    /// What an async function throws for it: `CancellationError` if the surrounding task was canceled and the request with it, as
    /// callers expect of every async function.
    var inSurroundingTask: any Error {
        code == .canceled && Task.isCancelled ? CancellationError() : self
    }
}
