namespace Postrider.MessagePack;

/// <summary>Bytes that cannot be read as asked, or a value that cannot be written.</summary>
/// <param name="error">What was wrong.</param>
/// <param name="message">What was wrong, the value, the limit.</param>
/// <param name="position">Where the value begins, in bytes from the start of the input, or -1 when it is not about input.</param>
public sealed class MessagePackException(MessagePackError error, string message, long position = -1) : Exception(message)
{
    /// <summary>What was wrong.</summary>
    public MessagePackError Error { get; } = error;

    /// <summary>Where the value begins, in bytes from the start of the input; -1 when it is not about input.</summary>
    public long Position { get; } = position;
}
