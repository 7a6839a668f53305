public import Foundation
public import Netcore

extension NetcoreError: LocalizedError {
    /// The message: without this, Foundation says of an error only the name of its type and a number.
    public var errorDescription: String? { message }
}
