using System.Buffers;
using System.Buffers.Binary;
using System.Net.WebSockets;
using Postrider.Rpc.Framing;
using Postrider.Rpc.Http;

namespace Postrider.Rpc.WebSockets;

/// <summary>The client side of a WebSocket with JSON messages.</summary>
internal sealed class ClientJsonFrameTransport(WebSocket socket, string peer, SocketLimits limits) : JsonFrameTransport(socket, peer, limits.MaxMessageBytes)
{
    private readonly Dictionary<uint, string> _paths = [];

    protected override ValueTask TakeAsync(JsonMessage message)
    {
        if (message.Item is { } item)
        {
            InjectItem(message.Id, item.Span);
            return default;
        }

        if (message.IsGoodbye)
        {
            Inject(RpcFrameKind.Goodbye, 0, default);
            return default;
        }

        CloseWindow(message.Id);
        if (message.Error is { } error)
            InjectError(message, error);
        else if (message.Result is { } result)
            Inject(RpcFrameKind.Response, message.Id, result.Span, message.Headers);
        else if (message.IsEnd)
            Inject(RpcFrameKind.End, message.Id, default, message.Headers);
        else
            throw new RpcException(RpcStatus.ProtocolError, $"The message for call {message.Id} has no known content.");
        return default;
    }

    protected override bool TryTell(RpcFrameKind kind, FrameFlags flags, uint call, ReadOnlySpan<byte> body, ArrayBufferWriter<byte> text)
    {
        switch (kind)
        {
            case RpcFrameKind.Hello:
                Greet();
                TellWindow(text);
                return true;
            case RpcFrameKind.Name:
                new RpcFrameReader(body).TryReadLongText(out var path);
                _paths[call] = path;
                return false;
            case RpcFrameKind.Credit:
                WidenWindow(call, body);
                break;
            case RpcFrameKind.Request:
                TellRequest(flags, call, body, text);
                return true;
            case RpcFrameKind.Cancel:
                CloseWindow(call);
                break;
            case not (RpcFrameKind.Item or RpcFrameKind.End):
                return false;
        }

        using var json = Begin(text, call);
        if (kind == RpcFrameKind.Item)
            WriteRaw(json, "item", body);
        else if (kind == RpcFrameKind.Credit)
            json.WriteNumber("credit", BinaryPrimitives.ReadUInt32LittleEndian(body));
        else
            json.WriteBoolean(kind == RpcFrameKind.End ? "end" : "cancel", true);
        json.WriteEndObject();
        return true;
    }

    private void TellRequest(FrameFlags flags, uint call, ReadOnlySpan<byte> body, ArrayBufferWriter<byte> text)
    {
        // If the server exceeds the window, the whole socket is paused; a server that respects it may exceed it by one message.
        if (call != 0)
            OpenWindow(call, (long)limits.StreamWindowBytes + limits.MaxMessageBytes);
        var reader = new RpcFrameReader(body);
        reader.TryReadUInt16(out var number);
        using var json = Begin(text, call);
        json.WriteString("call", _paths[(uint)number]);
        if ((flags & FrameFlags.Timeout) != 0 && reader.TryReadUInt32(out var milliseconds))
            json.WriteNumber("timeout", milliseconds);
        body = body[reader.Consumed..];
        body = body[WriteHeaders(json, flags, body)..];
        if (!body.IsEmpty)
            WriteRaw(json, "message", body);
        json.WriteEndObject();
    }

    private void TellWindow(ArrayBufferWriter<byte> text)
    {
        using var json = Begin(text, 0);
        json.WriteNumber("window", limits.StreamWindowBytes);
        json.WriteEndObject();
    }

    private void InjectError(JsonMessage message, ReadOnlyMemory<byte> error)
    {
        var frame = FrameBuffer.Rent();
        frame.Begin(RpcFrameKind.Error, message.Headers is null ? FrameFlags.None : FrameFlags.Headers, message.Id);
        if (message.Headers is { } headers)
            frame.WriteHeaders(headers);
        ErrorFrame.Write(frame, ProblemDetailsMapping.ReadProblem(new ReadOnlySequence<byte>(error)));
        Inject(frame);
    }

    // The peer sends no hello frame: this side creates it.
    private void Greet()
    {
        var frame = FrameBuffer.Rent();
        frame.Begin(RpcFrameKind.Hello, FrameFlags.None, 0);
        frame.WriteUInt32(FrameFormat.Magic);
        frame.WriteByte(FrameFormat.Version);
        frame.WriteUInt32(int.MaxValue);
        frame.WriteUInt32((uint)limits.StreamWindowBytes);
        frame.WriteUInt32((uint)limits.MaxCalls);
        Inject(frame);
    }
}
