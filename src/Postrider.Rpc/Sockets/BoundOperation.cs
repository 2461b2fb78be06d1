using Postrider.Rpc.Framing;

namespace Postrider.Rpc.Sockets;

/// <summary>An operation with its formatters and its number on this channel's connections.</summary>
internal sealed class BoundOperation<TRequest, TItem, TResponse>(Operation<TRequest, TItem, TResponse> contract, RpcCodec codec, int number)
{
    public Operation<TRequest, TItem, TResponse> Contract => contract;

    public RpcCodec Codec => codec;

    public int Number => number;

    public RpcFormatter<TRequest> Request { get; } = contract.RequestFormatter(codec);

    public RpcFormatter<TItem> Item { get; } = codec.GetFormatter<TItem>();

    public RpcFormatter<TResponse> Response { get; } = contract.ResponseFormatter(codec);

    /// <summary>Writes the frame that begins a call.</summary>
    public void WriteRequest(FrameBuffer frame, uint id, TRequest request, CallContext? context)
    {
        var headers = context?.HeadersOrNull;
        var time = CallTimeout.ToWire(context);
        frame.Begin(RpcFrameKind.Request, (headers is null ? 0 : FrameFlags.Headers) | (time is null ? 0 : FrameFlags.Timeout), id);
        frame.WriteUInt16(number);
        if (time is { } limit)
            frame.WriteUInt32((uint)Math.Ceiling(limit.TotalMilliseconds));
        if (headers is not null)
            frame.WriteHeaders(headers);
        Request.Write(frame, request);
    }
}
