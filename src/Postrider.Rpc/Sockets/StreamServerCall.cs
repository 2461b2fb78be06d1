using System.Buffers;
using Postrider.Rpc.Framing;

namespace Postrider.Rpc.Sockets;

/// <summary>A call with a stream in either direction or in both.</summary>
internal sealed class StreamServerCall<TRequest, TItem, TResponse> : ServerCall
{
    private readonly ServerOperation<TRequest, TItem, TResponse> _served;
    private readonly TRequest _request;
    private readonly CallContext? _context;
    private readonly InboundStream<TItem>? _feed;
    private readonly FlowControlWindow _window;

    public StreamServerCall(
        ServerOperation<TRequest, TItem, TResponse> served, RpcServerConnection connection, uint id, TimeSpan? timeout, TRequest request, CallContext? context)
    {
        (_served, _request, _context) = (served, request, context);
        Set(connection, id, timeout, needsToken: true);
        _window = new(connection.SendWindowBytes);
        if (served.Contract.Kind is OperationKind.ClientStream or OperationKind.Duplex)
        {
            var limits = connection.Options.Limits;
            _feed = new(served.Item, limits.StreamWindowBytes, limits.MaxMessageBytes, bytes => connection.TrySendCredit(id, bytes), connection.Budget);
        }
    }

    // Its task is not awaited: exceptions are reported to the caller inside.
    public override void Execute() => _ = RunAsync();

    public override void Receive(RpcFrameKind kind, in ReadOnlySequence<byte> body)
    {
        switch (kind)
        {
            case RpcFrameKind.Item when _feed is not null:
                AddItem(body);
                break;
            case RpcFrameKind.End when _feed is not null:
                _feed.Complete();
                break;
            case RpcFrameKind.Credit when new RpcFrameReader(body.FirstSpan).TryReadUInt32(out var bytes) && _window.TryAdd(bytes):
                break;
            default:
                base.Receive(kind, body);
                break;
        }
    }

    public override void Cancel()
    {
        var gone = new OperationCanceledException("The caller cancelled the call.");
        _feed?.Complete(gone);
        _window.Close(gone);
        base.Cancel();
    }

    private void AddItem(in ReadOnlySequence<byte> body)
    {
        try
        {
            _feed!.Add(body);
        }
        catch (RpcException bad) when (bad.Status != RpcStatus.ProtocolError)
        {
            // The operation gets the exception when it reads the next item.
            _feed!.Complete(bad);
        }
    }

    private async Task RunAsync()
    {
        try
        {
            var items = _feed?.ReadAsync(Token);
            if (_served.Contract.Kind == OperationKind.ClientStream)
                AnswerWith(await _served.Endpoint.CallAsync(_request, items, _context, Token).ConfigureAwait(false));
            else
                await AnswerWithStreamAsync(items).ConfigureAwait(false);
        }
        catch (Exception failure)
        {
            Connection.AnswerFailure(this, _served, failure, _context?.ResponseHeadersOrNull);
        }

        Connection.Leave(this);
        _feed?.Complete(new OperationCanceledException("The call has ended."));
        _feed?.Release();
        Clear();
    }

    private async Task AnswerWithStreamAsync(IAsyncEnumerable<TItem>? items)
    {
        await foreach (var item in _served.Endpoint.StreamAsync(_request, items, _context, Token).WithCancellation(Token).ConfigureAwait(false))
        {
            await _window.WaitAsync(Token).ConfigureAwait(false);
            await Connection.WaitForRoomAsync(Token).ConfigureAwait(false);
            SendItem(item);
        }

        var frame = FrameBuffer.Rent();
        var headers = _context?.ResponseHeadersOrNull;
        frame.Begin(RpcFrameKind.End, headers is null ? FrameFlags.None : FrameFlags.Headers, Id);
        if (headers is not null)
            frame.WriteHeaders(headers);
        Send(frame);
    }

    private void SendItem(TResponse item)
    {
        var frame = FrameBuffer.Rent();
        try
        {
            frame.Begin(RpcFrameKind.Item, FrameFlags.None, Id);
            _served.Response.Write(frame, item);
            _window.Use(InboundStream<TResponse>.Cost(frame.Length - FrameFormat.HeaderBytes));
            Connection.Answer(this, frame);
        }
        finally
        {
            frame.Return();
        }
    }

    private void AnswerWith(TResponse response)
    {
        var frame = FrameBuffer.Rent();
        try
        {
            var headers = _context?.ResponseHeadersOrNull;
            frame.Begin(RpcFrameKind.Response, headers is null ? FrameFlags.None : FrameFlags.Headers, Id);
            if (headers is not null)
                frame.WriteHeaders(headers);
            _served.Response.Write(frame, response);
            Connection.Remove(this);
            Connection.Answer(this, frame);
        }
        finally
        {
            frame.Return();
        }
    }

    private void Send(FrameBuffer frame)
    {
        Connection.Remove(this);
        Connection.Answer(this, frame);
        frame.Return();
    }
}
