using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Logging;
using Postrider.Envelopes;
using Postrider.Middleware;
using Postrider.Transports;

namespace Postrider.ClaimChecks;

/// <summary>A transport whose large bodies are stored separately: the message carries a reference, and the receiver fetches the body.</summary>
internal sealed partial class ClaimCheckTransport(ITransport inner, IClaimStore store, ClaimCheckOptions options, TimeProvider time, ILogger logger) : ITransport
{
    public string Name => inner.Name;

    public TransportAbilities Abilities => inner.Abilities;

    public bool Reaches(string destination, ITransport listener, TransportBinding binding)
        => inner.Reaches(destination, listener is ClaimCheckTransport claims ? claims.Inner : listener, binding);

    public MessageSender OpenSender(SendTarget target) => new Sender(this, target);

    public ValueTask<IAsyncDisposable> ListenAsync(TransportBinding binding, EnvelopeReceiver receiver, CancellationToken ct)
    {
        if (!binding.OrderByKey)
            return inner.ListenAsync(binding, (envelope, stop) => ReceiveAsync(envelope, receiver, fetched: null, stop), ct);
        var order = new KeyedLock();
        return inner.ListenAsync(
            binding,
            (envelope, stop) => envelope.Headers[HeaderNames.Key] is { Length: > 0 } key
                ? ReceiveInOrderAsync(order.EnterAsync(key), envelope, receiver, stop)
                : ReceiveAsync(envelope, receiver, fetched: null, stop),
            ct);
    }

    public ValueTask<string?> FindProblemAsync(SendTarget target, CancellationToken ct) => inner.FindProblemAsync(target, ct);

    public ValueTask<HealthCheckResult> CheckHealthAsync(CancellationToken ct) => inner.CheckHealthAsync(ct);

    // A dead letter keeps the reference, and its body stays in the store.
    public IDeadLetters OpenDeadLetters(string source) => inner.OpenDeadLetters(source);

    public ValueTask DisposeAsync() => inner.DisposeAsync();

    internal ITransport Inner => inner;

    // The messages of a key reach the receiver, which takes their order from that, in the order of delivery: one does not overtake another
    // one whose body is being fetched.
    private async ValueTask<Envelope?> ReceiveInOrderAsync(Task<IDisposable?> entering, Envelope envelope, EnvelopeReceiver receiver, CancellationToken ct)
    {
        using var turn = await entering.ConfigureAwait(false);
        return await ReceiveAsync(envelope, receiver, turn, ct).ConfigureAwait(false);
    }

    private ValueTask<Envelope?> ReceiveAsync(Envelope envelope, EnvelopeReceiver receiver, IDisposable? fetched, CancellationToken ct)
    {
        if (envelope.Headers[ClaimHeaders.Id] is { } id)
            return ReceiveAsync(id, envelope, receiver, fetched, ct);
        var handling = receiver(envelope, ct);
        fetched?.Dispose();
        return handling;
    }

    private async ValueTask<Envelope?> ReceiveAsync(string id, Envelope envelope, EnvelopeReceiver receiver, IDisposable? fetched, CancellationToken ct)
    {
        ReadOnlyMemory<byte> body;
        try
        {
            body = await FetchAsync(id, envelope, ct).ConfigureAwait(false);
        }
        catch (Exception failure) when (failure is not OperationCanceledException || !ct.IsCancellationRequested)
        {
            LogNotFetched(logger, envelope.Destination, failure);
            envelope.Delivery?.Fail(failure);
            return envelope.ReplyTo is null ? null : Refusal(envelope, failure);
        }

        var headers = new Headers();
        foreach (var (name, value) in envelope.Headers)
        {
            if (!name.StartsWith(ClaimHeaders.Prefix, StringComparison.OrdinalIgnoreCase))
                headers.Add(name, value);
        }

        var handling = receiver(new Envelope { Destination = envelope.Destination, ReplyTo = envelope.ReplyTo, Delivery = envelope.Delivery, Headers = headers, Body = body }, ct);
        fetched?.Dispose();
        var answer = await handling.ConfigureAwait(false);
        if (!options.RemoveWhenHandled)
            return answer;
        // Not before the transport has settled the message: if it is delivered again, its body is still there.
        if (envelope.Delivery is { } delivery)
            delivery.WhenDone(() => RemoveAsync(id));
        else
            await RemoveAsync(id).ConfigureAwait(false);
        return answer;
    }

    private async ValueTask<ReadOnlyMemory<byte>> FetchAsync(string id, Envelope envelope, CancellationToken ct)
    {
        if (!ClaimId.IsValid(id))
        {
            envelope.Delivery?.Refuse(DeadLetterReason.Unreadable);
            throw new PostriderException(PostriderError.Codec, $"The header {ClaimHeaders.Id} has {id.Length} characters and is not an id: it must be 64 lower-case hexadecimal digits.");
        }

        ReadOnlyMemory<byte>? found;
        try
        {
            found = await store.GetAsync(id, options.MaxBodyBytes, ct).ConfigureAwait(false);
        }
        catch (PostriderException large) when (large.Error == PostriderError.TooLarge)
        {
            envelope.Delivery?.Refuse(DeadLetterReason.Unreadable);
            throw;
        }

        if (found is { } body)
            return body;
        envelope.Delivery?.Refuse(DeadLetterReason.BodyMissing);
        throw new PostriderException(PostriderError.BodyMissing, $"The body {id} of the message at '{envelope.Destination}' is no longer in the store: it was removed, or the store keeps bodies for a shorter time than messages.");
    }

    private async ValueTask RemoveAsync(string id)
    {
        try
        {
            await store.RemoveAsync(id, CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception left)
        {
            // The store removes it after its retention time.
            LogNotRemoved(logger, id, left);
        }
    }

    private static Envelope Refusal(Envelope request, Exception failure)
    {
        var kind = FailureKind.Of(failure);
        return new() { Destination = request.ReplyTo!, Headers = { { HeaderNames.Error, kind.Text.ReplaceLineEndings(" ") }, { HeaderNames.ErrorCode, kind.Code } } };
    }

    [LoggerMessage(30, LogLevel.Warning, "The body of a message at '{Source}' could not be fetched.")]
    private static partial void LogNotFetched(ILogger logger, string source, Exception failure);

    [LoggerMessage(31, LogLevel.Warning, "The body {Id} of a message that was handled could not be removed; the store removes it after its retention time.")]
    private static partial void LogNotRemoved(ILogger logger, string id, Exception failure);

    private sealed class Sender(ClaimCheckTransport transport, SendTarget target) : MessageSender(transport, target)
    {
        private readonly MessageSender _inner = transport.Inner.OpenSender(target);

        public override long MaxBodyBytes => transport.Options.MaxBodyBytes;

        public override string? MaxBodyBytesSetting => $"{nameof(ClaimCheckOptions)}.{nameof(ClaimCheckOptions.MaxBodyBytes)}";

        public override TimeSpan MaxDelay => _inner.MaxDelay;

        protected override TimeProvider TimeProvider => transport.Time;

        protected override ValueTask SendCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
            => IsSmall(body) ? _inner.SendAsync(in properties, body, ct) : StoreAndSendAsync(properties, body, ct);

        protected override ValueTask<Envelope> RequestCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
            => IsSmall(body) ? _inner.RequestAsync(in properties, body, ct) : StoreAndRequestAsync(properties, body, ct);

        protected override ValueTask<Envelope> CommandCoreAsync(in MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
            => IsSmall(body) ? _inner.CommandAsync(in properties, body, ct) : StoreAndCommandAsync(properties, body, ct);

        private bool IsSmall(ReadOnlyMemory<byte> body) => body.Length <= transport.Options.ThresholdBytes && body.Length <= _inner.MaxBodyBytes;

        private async ValueTask StoreAndSendAsync(MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
            => await _inner.SendAsync(await StoreAsync(properties, body, ct).ConfigureAwait(false), ReadOnlyMemory<byte>.Empty, ct).ConfigureAwait(false);

        private async ValueTask<Envelope> StoreAndRequestAsync(MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
            => await _inner.RequestAsync(await StoreAsync(properties, body, ct).ConfigureAwait(false), ReadOnlyMemory<byte>.Empty, ct).ConfigureAwait(false);

        private async ValueTask<Envelope> StoreAndCommandAsync(MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
            => await _inner.CommandAsync(await StoreAsync(properties, body, ct).ConfigureAwait(false), ReadOnlyMemory<byte>.Empty, ct).ConfigureAwait(false);

        // The same message again has the same body.
        private async ValueTask<MessageProperties> StoreAsync(MessageProperties properties, ReadOnlyMemory<byte> body, CancellationToken ct)
        {
            var id = Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes($"{properties.MessageId ?? MessageIds.Next()}\n{Target.Destination}")));
            await transport.Store.PutAsync(id, body, ct).ConfigureAwait(false);
            var headers = new Headers();
            foreach (var (name, value) in properties.Headers ?? [])
                headers.Add(name, value);
            headers[ClaimHeaders.Id] = id;
            headers[ClaimHeaders.Bytes] = body.Length.ToString(CultureInfo.InvariantCulture);
            return properties with { Headers = headers };
        }
    }

    private IClaimStore Store => store;

    private ClaimCheckOptions Options => options;

    private TimeProvider Time => time;
}
