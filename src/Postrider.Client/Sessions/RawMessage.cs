// Hot path: ServerConnection -> this -> the caller's handler. Allocations: none.
using System.Runtime.CompilerServices;
using Postrider.Client.Sessions;
using Postrider.Wire.Frames;

namespace Postrider.Client;

/// <summary>A message in the receive buffer, for handlers that run on the receiving thread.</summary>
/// <remarks>Valid during the handler's call only: every member is a view of the receive buffer.</remarks>
public readonly ref struct RawMessage
{
    private readonly Frame _frame;
    private readonly ServerConnection _connection;

    internal RawMessage(scoped in Frame frame, ServerConnection connection)
    {
        _frame = frame;
        _connection = connection;
    }

    /// <summary>The subject in UTF-8.</summary>
    public ReadOnlySpan<byte> Subject => _frame.Subject;

    /// <summary>The reply subject in UTF-8; empty if no reply is expected.</summary>
    public ReadOnlySpan<byte> ReplyTo => _frame.ReplyTo;

    /// <summary>The header block as received; empty without headers. Parse it with <see cref="HeaderBlock"/>.</summary>
    public ReadOnlySpan<byte> Headers => _frame.Headers;

    /// <summary>The payload.</summary>
    public ReadOnlySpan<byte> Payload => _frame.Payload;

    /// <summary>Sends a reply, together with the other replies of this receive batch.</summary>
    /// <param name="payload">Copied.</param>
    /// <returns>False if no reply is expected, the connection has ended, or the payload is larger than the server accepts.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Reply(ReadOnlySpan<byte> payload) => !ReplyTo.IsEmpty && _connection.TryPublishRaw(ReplyTo, payload);
}
