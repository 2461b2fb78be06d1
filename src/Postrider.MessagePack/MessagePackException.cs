namespace Postrider.MessagePack;

/// <summary>Thrown when bytes cannot be read as the requested type, or a value cannot be written.</summary>
/// <param name="error">The kind of error.</param>
/// <param name="message">The message.</param>
/// <param name="position">Position of the value, in bytes from the start of the input, or -1 when the error is not about input.</param>
public sealed class MessagePackException(MessagePackError error, string message, long position = -1) : Exception(message)
{
    /// <summary>The kind of error.</summary>
    public MessagePackError Error { get; } = error;

    /// <summary>Position of the value, in bytes from the start of the input; -1 when the error is not about input.</summary>
    public long Position { get; } = position;
}
