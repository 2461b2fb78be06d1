using System.Buffers;
using System.Globalization;
using Postrider.Envelopes;
using Postrider.Middleware;

namespace Postrider.Transports;

/// <summary>Handles a message remotely: encodes it, sends it through the transport and decodes the reply.</summary>
/// <typeparam name="TRequest">The message.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
/// <param name="transport">The transport.</param>
/// <param name="codec">Encodes the message and decodes the response.</param>
/// <param name="destination">The destination of the handler.</param>
/// <remarks>The last step of a pipeline, so middleware runs around it as around a local handler. Thread-safe.</remarks>
public sealed class RemoteHandler<TRequest, TResponse>(ITransport transport, ICodec codec, string destination)
    : RequestPipeline<TRequest, TResponse>
    where TRequest : notnull
{
    /// <inheritdoc/>
    public override async ValueTask<TResponse> Invoke(TRequest request, object? state, CancellationToken ct)
    {
        var body = new ArrayBufferWriter<byte>();
        codec.Encode(body, request);
        var envelope = new Envelope
        {
            Destination = destination,
            Headers = OutgoingHeaders.Make(codec, state, request as IIdempotent),
            Body = body.WrittenMemory,
        };

        var answer = await transport.RequestAsync(envelope, ct).ConfigureAwait(false);
        if (answer.Headers[HeaderNames.Error] is { } error)
            throw new RemoteException(destination, answer.Headers[HeaderNames.ErrorCode] ?? nameof(PostriderError.Remote), error);
        return typeof(TResponse) == typeof(Unit) ? default! : codec.Decode<TResponse>(answer.Body.Span);
    }
}

/// <summary>Headers of an envelope that leaves.</summary>
internal static class OutgoingHeaders
{
    internal static Headers Make(ICodec codec, object? state, IIdempotent? idempotent)
    {
        var context = state as MessageContext;
        var origin = context?.Origin ?? state as CallOrigin;
        var id = context?.MessageId ?? Guid.CreateVersion7().ToString("N");
        var headers = new Headers
        {
            { HeaderNames.ContentType, codec.ContentType },
            { HeaderNames.MessageId, id },
            { HeaderNames.CorrelationId, context?.CorrelationId ?? origin?.CorrelationId ?? id },
        };
        if (idempotent is not null)
            headers.Add(HeaderNames.IdempotencyKey, idempotent.IdempotencyKey);
        if (origin?.CausationId is { } cause)
            headers.Add(HeaderNames.CausationId, cause);
        if (origin?.Deadline is { } deadline)
            headers.Add(HeaderNames.Deadline, deadline.UtcDateTime.ToString("O", CultureInfo.InvariantCulture));
        if (System.Diagnostics.Activity.Current is { IdFormat: System.Diagnostics.ActivityIdFormat.W3C } activity)
        {
            headers.Add(HeaderNames.TraceParent, activity.Id!);
            if (activity.TraceStateString is { Length: > 0 } traceState)
                headers.Add(HeaderNames.TraceState, traceState);
        }

        return headers;
    }
}
