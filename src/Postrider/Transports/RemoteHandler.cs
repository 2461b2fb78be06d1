using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using Postrider.Envelopes;
using Postrider.Serialization;

namespace Postrider.Transports;

/// <summary>Handles a message remotely: writes it, sends it through the transport and reads the reply.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
/// <param name="transport">The transport.</param>
/// <param name="serializers">Write the message, in the first format that supports it, and read the response in the format of its header
/// <see cref="HeaderNames.ContentType"/>.</param>
/// <param name="target">The destination of the handler, and how to send.</param>
/// <remarks>The last step of a pipeline, so middleware runs around it as around a local handler. Over a transport without support for
/// requests, with a delay, and to a receiver that stores commands, a command completes when it is stored. Thread-safe.</remarks>
/// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the message or the target needs an ability that the
/// transport lacks.</exception>
public sealed class RemoteHandler<TRequest, TResponse>(ITransport transport, ISerializerProvider serializers, SendTarget target)
    : RequestPipeline<TRequest, TResponse>
    where TRequest : notnull
{
    private readonly EnvelopeSerializer<TRequest> _requests = new(serializers);
    private readonly EnvelopeSerializer<TResponse>? _responses = typeof(TResponse) == typeof(Unit) ? null : new(serializers);
    private readonly MessageSender _sender = OutgoingProperties.Open(transport, target, typeof(TRequest), typeof(TResponse) == typeof(Unit) ? null : typeof(TResponse));
    // A delayed command counts as sent when the transport has accepted it.
    private readonly bool _awaitsReply = transport.Abilities.HasFlag(TransportAbilities.Requests) && target.Delay <= TimeSpan.Zero;

    /// <inheritdoc/>
    public override ValueTask<TResponse> Invoke(TRequest request, object? state, CancellationToken ct)
    {
        var body = BodyBuffers.Rent();
        ValueTask sent;
        try
        {
            var contentType = _requests.Write(request, body);
            var properties = OutgoingProperties.Of(request, contentType, state, _sender.Target);
            if (_awaitsReply)
                return AskAsync(_responses is null ? _sender.CommandAsync(in properties, body.WrittenMemory, ct) : _sender.RequestAsync(in properties, body.WrittenMemory, ct), body);
            sent = OutgoingProperties.SendAsync(_sender, _sender as ScopedMessageSender, in properties, body.WrittenMemory, state, ct);
        }
        catch (Exception failure)
        {
            BodyBuffers.Return(body);
            return FailAsync(failure);
        }

        if (!sent.IsCompletedSuccessfully)
            return SendAsync(sent, body);
        BodyBuffers.Return(body);
        return default;
    }

    // A transport that failed may still reference the bytes: then they are not reused.
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<TResponse> SendAsync(ValueTask sent, ArrayBufferWriter<byte> body)
    {
        try
        {
            await sent.ConfigureAwait(false);
        }
        catch (PostriderException failure) when (RouteErrors.LacksRoute(failure, _sender.Target))
        {
            throw RouteErrors.WithRoute(failure, typeof(TRequest), _sender.Target);
        }

        BodyBuffers.Return(body);
        return default!;
    }

    // Like an asynchronous method: the caller gets the failure when it awaits.
    private static async ValueTask<TResponse> FailAsync(Exception failure)
    {
        await default(ValueTask).ConfigureAwait(false);
        ExceptionDispatchInfo.Throw(failure);
        return default!;
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<TResponse> AskAsync(ValueTask<Envelope> asking, ArrayBufferWriter<byte> body)
    {
        Envelope answer;
        try
        {
            answer = await asking.ConfigureAwait(false);
        }
        catch (PostriderException failure) when (RouteErrors.LacksRoute(failure, _sender.Target))
        {
            throw RouteErrors.WithRoute(failure, typeof(TRequest), _sender.Target);
        }

        BodyBuffers.Return(body);
        if (answer.Headers[HeaderNames.Error] is { } error)
            throw new RemoteException(_sender.Target.Destination, answer.Headers[HeaderNames.ErrorCode] ?? nameof(PostriderError.Remote), error);
        return _responses is null ? default! : _responses.Read(answer);
    }
}
