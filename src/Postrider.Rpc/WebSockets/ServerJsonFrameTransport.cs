using System.Buffers;
using System.Net.WebSockets;
using Postrider.Rpc.Framing;
using Postrider.Rpc.Http;
using Postrider.Rpc.Sockets;

namespace Postrider.Rpc.WebSockets;

/// <summary>The server side of a WebSocket with JSON messages.</summary>
internal sealed class ServerJsonFrameTransport : JsonFrameTransport
{
    // The rest of a stream's window is credited when its call starts: the peer may change the size at any time.
    private const int MinWindow = 1;

    private readonly IReadOnlyDictionary<string, IServerOperation> _operations;
    private readonly Dictionary<string, int> _numbers = new(StringComparer.Ordinal);
    private readonly SocketLimits _limits;
    private int _window;

    public ServerJsonFrameTransport(WebSocket socket, string peer, ServerOperationTable table, SocketLimits limits)
        : base(socket, peer, limits.MaxMessageBytes)
    {
        (_operations, _limits, _window) = (table.Operations, limits, limits.StreamWindowBytes);

        // The peer sends no hello frame: this side creates it.
        var frame = FrameBuffer.Rent();
        frame.Begin(RpcFrameKind.Hello, FrameFlags.None, 0);
        frame.WriteUInt32(FrameFormat.Magic);
        frame.WriteByte(FrameFormat.Version);
        frame.WriteUInt32(int.MaxValue);
        frame.WriteUInt32(MinWindow);
        frame.WriteText(table.Codec.ContentType, byte.MaxValue);
        Inject(frame);
    }

    protected override async ValueTask TakeAsync(JsonMessage message)
    {
        if (message.Call is { } path)
            await BeginAsync(path, message).ConfigureAwait(false);
        else if (message.Id == 0 && message.Window is { } window)
            Pace(window);
        else if (message.Id == 0)
            throw new RpcException(RpcStatus.ProtocolError, "The message has neither a call nor an id.");
        else if (message.Item is { } item)
            InjectItem(message.Id, item.Span);
        else if (message.Credit is { } credit)
            InjectCredit(message.Id, (int)Math.Min(credit, int.MaxValue));
        else if (message.IsEnd)
            Inject(RpcFrameKind.End, message.Id, default);
        else if (message.IsCancel)
            Inject(RpcFrameKind.Cancel, message.Id, default);
        else
            throw new RpcException(RpcStatus.ProtocolError, $"The message for call {message.Id} has no known content.");
    }

    protected override bool TryTell(RpcFrameKind kind, FrameFlags flags, uint call, ReadOnlySpan<byte> body, ArrayBufferWriter<byte> text)
    {
        switch (kind)
        {
            case RpcFrameKind.Credit:
                WidenWindow(call, body);
                return false;
            case RpcFrameKind.Response or RpcFrameKind.Error or RpcFrameKind.End:
                CloseWindow(call);
                break;
            case not (RpcFrameKind.Item or RpcFrameKind.Goodbye):
                return false;
        }

        using var json = Begin(text, call);
        body = body[WriteHeaders(json, flags, body)..];
        switch (kind)
        {
            case RpcFrameKind.Response:
                WriteRaw(json, "result", body);
                break;
            case RpcFrameKind.Error:
                ErrorFrame.TryRead(body, out var failure);
                WriteRaw(json, "error", Problem(failure));
                break;
            case RpcFrameKind.Item:
                WriteRaw(json, "item", body);
                break;
            default:
                json.WriteBoolean(kind == RpcFrameKind.End ? "end" : "goodbye", true);
                break;
        }

        json.WriteEndObject();
        return true;
    }

    private static ReadOnlySpan<byte> Problem(CallFailure failure)
    {
        var problem = new ArrayBufferWriter<byte>();
        ProblemDetailsMapping.WriteProblem(problem, failure);
        return problem.WrittenSpan;
    }

    private async ValueTask BeginAsync(string path, JsonMessage message)
    {
        if (!_operations.TryGetValue(path, out var operation))
        {
            await AnswerAsync(message.Id, new(RpcStatus.NotFound, $"No service implements {path}.")).ConfigureAwait(false);
            return;
        }

        if (!operation.IsOneWay && message.Id == 0)
            throw new RpcException(RpcStatus.ProtocolError, $"{path} returns a response, but the call has no id.");
        if (operation.Kind is OperationKind.ClientStream or OperationKind.Duplex)
            OpenWindow(message.Id, _limits.StreamWindowBytes);
        Inject(Request(Number(path), operation.IsOneWay ? 0 : message.Id, message));
        if (operation.Kind is OperationKind.ServerStream or OperationKind.Duplex && _window > MinWindow)
            InjectCredit(message.Id, _window - MinWindow);

        // A call number is not needed there, but it is accepted and answered.
        if (operation.IsOneWay && message.Id != 0)
            await AnswerAsync(message.Id, null).ConfigureAwait(false);
    }

    private void Pace(uint window)
    {
        if (window is 0 or > int.MaxValue)
            throw new RpcException(RpcStatus.ProtocolError, $"Invalid window of {window} bytes.");
        (_window, IsCredited) = ((int)window, false);
    }

    private async ValueTask AnswerAsync(uint id, CallFailure? failure)
    {
        var text = new ArrayBufferWriter<byte>();
        using (var json = Begin(text, id))
        {
            WriteRaw(json, failure is null ? "result" : "error", failure is null ? default : Problem(failure));
            json.WriteEndObject();
        }

        await SendAsync(text.WrittenMemory).ConfigureAwait(false);
    }

    private int Number(string path)
    {
        if (_numbers.TryGetValue(path, out var number))
            return number;
        number = _numbers.Count;
        _numbers.Add(path, number);
        var frame = FrameBuffer.Rent();
        frame.Begin(RpcFrameKind.Name, FrameFlags.None, (uint)number);
        frame.WriteText(path, ushort.MaxValue);
        Inject(frame);
        return number;
    }

    private static FrameBuffer Request(int number, uint id, JsonMessage message)
    {
        var frame = FrameBuffer.Rent();
        frame.Begin(
            RpcFrameKind.Request, (message.Milliseconds is null ? FrameFlags.None : FrameFlags.Timeout) | (message.Headers is null ? FrameFlags.None : FrameFlags.Headers), id);
        frame.WriteUInt16(number);
        if (message.Milliseconds is { } milliseconds)
            frame.WriteUInt32(milliseconds);
        if (message.Headers is { } headers)
            frame.WriteHeaders(headers);
        frame.Write(message.Message.Span);
        return frame;
    }
}
