// Hot path: RpcServerConnection -> this -> the operation -> FrameSendQueue. Allocations: none once pooled, but the token's source where the operation takes a token.
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Postrider.Rpc.Framing;

namespace Postrider.Rpc.Sockets;

/// <summary>A unary or one-way call at the server. Reused after completion.</summary>
internal sealed class UnaryServerCall<TRequest, TItem, TResponse> : ServerCall
{
    private readonly ServerOperation<TRequest, TItem, TResponse> _served;
    private readonly Action _onCompleted;
    private ConfiguredValueTaskAwaitable<TResponse>.ConfiguredValueTaskAwaiter _awaiter;
    private TRequest? _request;
    private CallContext? _context;

    public UnaryServerCall(ServerOperation<TRequest, TItem, TResponse> served) => (_served, _onCompleted) = (served, Complete);

    public void Begin(RpcServerConnection connection, uint id, TimeSpan? timeout, TRequest request, CallContext? context)
    {
        Set(connection, id, timeout, _served.Contract.TakesToken);
        (_request, _context) = (request, context);
    }

    [SuppressMessage("Reliability", "CA2012", Justification = "The awaiter is kept until its task is complete and read once.")]
    public override void Execute()
    {
        var request = _request!;
        _request = default;
        try
        {
            _awaiter = _served.Endpoint.CallAsync(request, null, _context, Token).ConfigureAwait(false).GetAwaiter();
        }
        catch (Exception failure)
        {
            Answer(failure);
            return;
        }

        if (_awaiter.IsCompleted)
            Complete();
        else
            _awaiter.UnsafeOnCompleted(_onCompleted);
    }

    private void Complete()
    {
        TResponse response;
        try
        {
            response = _awaiter.GetResult();
        }
        catch (Exception failure)
        {
            Answer(failure);
            return;
        }

        if (_served.IsOneWay)
            End();
        else
            Answer(response);
    }

    private void Answer(TResponse response)
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
        catch (Exception failure)
        {
            Connection.AnswerFailure(this, _served, failure, _context?.ResponseHeadersOrNull);
        }
        finally
        {
            frame.Return();
        }

        End();
    }

    private void Answer(Exception failure)
    {
        if (_served.IsOneWay)
            Connection.LogFailure(failure, _served.Contract.Path);
        else
            Connection.AnswerFailure(this, _served, failure, _context?.ResponseHeadersOrNull);
        End();
    }

    private void End()
    {
        _awaiter = default;
        _context = null;
        Connection.Leave(this);
        Clear();
        _served.Pool.TryReturn(this);
    }
}
