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
            Inject(FrameKind.Goodbye, 0, default);
            return default;
        }

        CloseWindow(message.Id);
        if (message.Error is { } error)
            InjectError(message, error);
        else if (message.Result is { } result)
            Inject(FrameKind.Response, message.Id, result.Span, message.Headers);
        else if (message.IsEnd)
            Inject(FrameKind.End, message.Id, default, message.Headers);
        else
            throw new RpcException(RpcStatus.ProtocolError, $"The message for call {message.Id} has no known content.");
        return default;
    }

    protected override bool TryTell(FrameKind kind, FrameFlags flags, uint call, ReadOnlySpan<byte> body, ArrayBufferWriter<byte> text)
    {
        switch (kind)
        {
            case FrameKind.Hello:
                Greet();
                TellWindow(text);
                return true;
            case FrameKind.Name:
                new FrameReader(body).TryReadLongText(out var path);
                _paths[call] = path;
                return false;
            case FrameKind.Credit:
                WidenWindow(call, body);
                break;
            case FrameKind.Request:
                TellRequest(flags, call, body, text);
                return true;
            case FrameKind.Cancel:
                CloseWindow(call);
                break;
            case not (FrameKind.Item or FrameKind.End):
                return false;
        }

        using var json = Begin(text, call);
        if (kind == FrameKind.Item)
            WriteRaw(json, "item", body);
        else if (kind == FrameKind.Credit)
            json.WriteNumber("credit", BinaryPrimitives.ReadUInt32LittleEndian(body));
        else
            json.WriteBoolean(kind == FrameKind.End ? "end" : "cancel", true);
        json.WriteEndObject();
        return true;
    }

    private void TellRequest(FrameFlags flags, uint call, ReadOnlySpan<byte> body, ArrayBufferWriter<byte> text)
    {
        // If the server exceeds the window, the whole socket is paused; a server that respects it may exceed it by one message.
        if (call != 0)
            OpenWindow(call, (long)limits.StreamWindowBytes + limits.MaxMessageBytes);
        var reader = new FrameReader(body);
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
        frame.Begin(FrameKind.Error, message.Headers is null ? FrameFlags.None : FrameFlags.Headers, message.Id);
        if (message.Headers is { } headers)
            frame.WriteHeaders(headers);
        ErrorFrame.Write(frame, ProblemDetailsMapping.ReadProblem(new ReadOnlySequence<byte>(error)));
        Inject(frame);
    }

    // The peer sends no hello frame: this side creates it.
    private void Greet()
    {
        var frame = FrameBuffer.Rent();
        frame.Begin(FrameKind.Hello, FrameFlags.None, 0);
        frame.WriteUInt32(FrameFormat.Magic);
        frame.WriteByte(FrameFormat.Version);
        frame.WriteUInt32(int.MaxValue);
        frame.WriteUInt32((uint)limits.StreamWindowBytes);
        frame.WriteUInt32((uint)limits.MaxCalls);
        Inject(frame);
    }
}
