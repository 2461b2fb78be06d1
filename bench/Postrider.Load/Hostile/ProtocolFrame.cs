namespace Postrider.Load.Hostile;

/// <summary>One frame that the server sent.</summary>
/// <param name="Line">The first line without its end: <c>MSG v.core 1 128</c>, <c>PONG</c>, <c>-ERR '...'</c>.</param>
/// <param name="Subject">Subject of a message, otherwise empty.</param>
/// <param name="ReplyTo">Reply subject of a message, or empty.</param>
/// <param name="Headers">Headers of a message. Valid until the next read.</param>
/// <param name="Payload">Payload of a message. Valid until the next read.</param>
internal readonly record struct ProtocolFrame(
    string Line, string Subject, string ReplyTo, ReadOnlyMemory<byte> Headers, ReadOnlyMemory<byte> Payload)
{
    public bool IsMessage => Subject.Length > 0;

    public bool IsError => Line.StartsWith("-ERR", StringComparison.Ordinal);
}
