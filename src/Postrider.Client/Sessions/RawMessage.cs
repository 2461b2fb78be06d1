// Hot path: ServerConnection -> this -> the caller's handler. Allocations: none.
using System.Runtime.CompilerServices;
using Postrider.Client.Sessions;
using Postrider.Wire.Frames;

namespace Postrider.Client;

/// <summary>A message where it was received, for handlers that run on the receiving thread.</summary>
/// <remarks>Valid during the handler's call only; every member is a view of the receive buffer.</remarks>
public readonly ref struct RawMessage
{
    private readonly Frame _frame;
    private readonly ServerConnection _connection;

    internal RawMessage(scoped in Frame frame, ServerConnection connection)
    {
        _frame = frame;
        _connection = connection;
    }

    /// <summary>The subject it was published to, in UTF-8.</summary>
    public ReadOnlySpan<byte> Subject => _frame.Subject;

    /// <summary>Where an answer is expected, in UTF-8; empty when nowhere.</summary>
    public ReadOnlySpan<byte> ReplyTo => _frame.ReplyTo;

    /// <summary>The header block as received; empty without headers. <see cref="HeaderBlock"/> reads it.</summary>
    public ReadOnlySpan<byte> Headers => _frame.Headers;

    /// <summary>The payload.</summary>
    public ReadOnlySpan<byte> Payload => _frame.Payload;

    /// <summary>Answers; sent together with the other answers of this receive batch.</summary>
    /// <param name="payload">Copied.</param>
    /// <returns>False when no answer is expected, the connection is over or the payload is larger than the server takes.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Reply(ReadOnlySpan<byte> payload) => !ReplyTo.IsEmpty && _connection.TryPublishRaw(ReplyTo, payload);
}
