public import CNetcore
internal import Glibc
internal import NetcoreHTTP

/// Why this thread's last failed call did so. Freed with the thread.
enum LastError {
    /// The texts follow it in the same piece of memory: the argument, then the message, each with a NUL byte.
    private struct Kept {
        var status: Int32
        var phase: Int32
        var nativeCode: Int32
        var attempts: UInt32
        var isRetryable: Int32
        var applicationCode: Int32
        var argumentSize: Int
        var messageSize: Int
        /// The message for people, once it was asked for, or if it is not that of the code; memory of its own.
        var userMessage: UnsafeMutablePointer<CChar>?
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key) { LastError.free($0) }
        return key
    }()

    private static func free(_ memory: UnsafeMutableRawPointer?) {
        guard let memory else { return }
        Glibc.free(memory.load(as: Kept.self).userMessage)
        Glibc.free(memory)
    }

    static func set(_ error: NetcoreError) {
        let isUsual = error.meaning == nil && !NetcoreError.Code.ofApplication.contains(error.code.rawValue)
        let userMessage = isUsual ? nil : strdup(error.userMessage)
        var argument = error.argument
        var message = error.message
        argument.withUTF8 { argument in
            message.withUTF8 { message in
                let size = MemoryLayout<Kept>.size
                guard let memory = malloc(size + argument.count + message.count + 2) else {
                    return Glibc.free(userMessage)
                }
                memory.storeBytes(
                    of: Kept(
                        status: error.code.rawValue, phase: error.phase.rawValue, nativeCode: error.nativeCode,
                        attempts: UInt32(clamping: error.attempts), isRetryable: error.isRetryable ? 1 : 0,
                        applicationCode: error.applicationCode.rawValue, argumentSize: argument.count,
                        messageSize: message.count, userMessage: userMessage), as: Kept.self)
                write(argument, to: memory + size)
                write(message, to: memory + size + argument.count + 1)
                free(pthread_getspecific(key))
                pthread_setspecific(key, memory)
            }
        }
    }

    private static func write(_ text: UnsafeBufferPointer<UInt8>, to place: UnsafeMutableRawPointer) {
        UnsafeMutableRawBufferPointer(start: place, count: text.count).copyBytes(from: text)
        place.storeBytes(of: 0, toByteOffset: text.count, as: UInt8.self)
    }

    /// For people; made when it is first asked for.
    static var userMessage: UnsafePointer<CChar>? {
        guard let memory = pthread_getspecific(key) else { return nil }
        let kept = memory.assumingMemoryBound(to: Kept.self)
        if kept.pointee.userMessage == nil {
            kept.pointee.userMessage = strdup(
                NetcoreError(NetcoreError.Code(rawValue: kept.pointee.status)).userMessage)
        }
        return kept.pointee.userMessage.map { UnsafePointer($0) }
    }

    /// Nil if no call has failed. What it points to is freed by the next call that fails on this thread.
    static var current: netcore_error? {
        guard let memory = pthread_getspecific(key) else { return nil }
        let kept = memory.load(as: Kept.self)
        let argument = memory + MemoryLayout<Kept>.size
        var error = netcore_error()
        error.status = kept.status
        error.phase = kept.phase
        error.native_code = kept.nativeCode
        error.attempts = kept.attempts
        error.is_retryable = kept.isRetryable
        error.application_code = kept.applicationCode
        error.argument = netcore_bytes(UnsafeRawBufferPointer(start: argument, count: kept.argumentSize))
        error.message = netcore_bytes(
            UnsafeRawBufferPointer(start: argument + kept.argumentSize + 1, count: kept.messageSize))
        return error
    }
}

private let noText = StaticText("")

@_cdecl("netcore_last_error") @implementation
public func netcore_last_error(_ out_error: UnsafeMutablePointer<netcore_error>!) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let out = try OutRoom(out_error, "out_error")
        var error = LastError.current ?? netcore_error()
        if error.message.data == nil {
            error.message = netcore_bytes(UnsafeRawBufferPointer(start: noText.pointer, count: 0))
            error.argument = error.message
        }
        let userMessage = LastError.userMessage ?? noText.pointer
        error.user_message = netcore_bytes(UnsafeRawBufferPointer(start: userMessage, count: strlen(userMessage)))
        out.write(error)
    }
}

@_cdecl("netcore_last_error_message") @implementation
public func netcore_last_error_message() -> UnsafePointer<CChar>! {
    guard let data = LastError.current?.message.data else { return noText.pointer }
    return UnsafeRawPointer(data).assumingMemoryBound(to: CChar.self)
}
