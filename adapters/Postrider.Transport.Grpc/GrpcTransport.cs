using Grpc.Core;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Postrider.Transports;

namespace Postrider.Transport.Grpc;

/// <summary>Sends messages and requests to the inbox of another process, and receives those that arrive at its own.</summary>
/// <remarks>
/// Thread-safe. Destinations are names in the inbox; it is served by <c>MapGrpcTransport</c>. A send completes when the message was handled,
/// stored, or kept as a dead letter, depending on the receiver's <see cref="GrpcBinding"/>; the sender keeps it until then. Source:
/// docs/guide/grpc-transport.md, inbox.proto.
/// </remarks>
public sealed class GrpcTransport : ITransport
{
    internal const string TransportName = "grpc";

    private readonly GrpcOptions _options;
    private readonly GrpcConnection _connection;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly Func<string, ITransport>? _stores;

    /// <summary>Creates a transport; it connects when it is first used.</summary>
    /// <param name="options">The server and the profiles.</param>
    /// <param name="loggers">Log refused credentials and dead letters; null for no logs.</param>
    /// <param name="time">The clock of pauses and expiry; null for the system's.</param>
    /// <param name="stores">Finds the transports of <see cref="GrpcStore"/> by their names; null for none.</param>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: an option is out of range.</exception>
    public GrpcTransport(GrpcOptions options, ILoggerFactory? loggers = null, TimeProvider? time = null, Func<string, ITransport>? stores = null)
    {
        ArgumentNullException.ThrowIfNull(options);
        GrpcOptionsCheck.Check(options);
        (_options, _time, _stores) = (options, time ?? TimeProvider.System, stores);
        _logger = loggers?.CreateLogger<GrpcTransport>() ?? (ILogger)NullLogger.Instance;
        _connection = new(options, _logger, _time);
        Inbox = new(options, _logger);
    }

    /// <inheritdoc/>
    public string Name => TransportName;

    /// <inheritdoc/>
    public TransportAbilities Abilities => PossibleAbilities;

    /// <summary>The abilities, whatever the options are.</summary>
    internal static TransportAbilities PossibleAbilities
        => TransportAbilities.Requests | TransportAbilities.Redelivery | TransportAbilities.Expiry | TransportAbilities.OrderByKey;

    internal GrpcInbox Inbox { get; }

    internal int MaxReceivedBytes => MaxMessageBytes(_options);

    /// <inheritdoc/>
    public MessageSender OpenSender(SendTarget target)
    {
        ArgumentNullException.ThrowIfNull(target);
        return new GrpcSender(this, _connection, target);
    }

    /// <inheritdoc/>
    /// <exception cref="PostriderException"><see cref="PostriderError.Configuration"/>: the inbox is not mapped, the binding contradicts
    /// itself, or its store does not keep messages.</exception>
    public async ValueTask<IAsyncDisposable> ListenAsync(TransportBinding binding, EnvelopeReceiver receiver, CancellationToken ct)
    {
        ArgumentNullException.ThrowIfNull(binding);
        ArgumentNullException.ThrowIfNull(receiver);
        ObjectDisposedException.ThrowIf(_connection.IsDisposed, this);
        if (!Inbox.IsMapped)
            throw new PostriderException(PostriderError.Configuration, $"'{binding.Source}' is bound on transport '{Name}', whose inbox no endpoint serves: call MapGrpcTransport on the application before it starts.");
        if (binding.Group is not null)
            throw new PostriderException(PostriderError.Configuration, $"The binding of '{binding.Source}' is not valid: it has a Group; listeners of one destination share its messages, and a message goes to one destination.");
        if (binding.MaxConcurrency < 1)
            throw new PostriderException(PostriderError.Configuration, $"The binding of '{binding.Source}' is not valid: MaxConcurrency is {binding.MaxConcurrency} and must be at least 1.");
        (binding as GrpcBinding)?.Check();
        var listener = binding is GrpcBinding { Store: { } store }
            ? await StoreAsync(binding, store, receiver, ct).ConfigureAwait(false)
            : new GrpcListener(Inbox, _options, binding, receiver, Process);
        Inbox.Add(listener);
        return listener;

        DeliveryProcessor Process(AtLeastOnceBinding kept, CancellationToken stopped)
            => new(kept, receiver, kept.DeadLetter is { } deadLetter ? OpenSender(deadLetter) : null, _logger, _time, stopped);
    }

    /// <inheritdoc/>
    /// <remarks>Sends the inbox a message without a destination, to which it replies without handling it.</remarks>
    public async ValueTask<HealthCheckResult> CheckHealthAsync(CancellationToken ct)
    {
        if (_connection.IsDisposed)
            return HealthCheckResult.Unhealthy("The transport was disposed.");
        if (_options.Address is null)
            return Inbox.IsMapped ? HealthCheckResult.Healthy($"The inbox receives for {Inbox.Destinations} destinations.") : HealthCheckResult.Unhealthy("The inbox is not mapped, and there is no Address to send to.");
        try
        {
            await _connection.ProbeAsync(ct).ConfigureAwait(false);
            return HealthCheckResult.Healthy($"The inbox at {_options.Address} answers.");
        }
        catch (RpcException silent) when (silent.StatusCode is StatusCode.Unavailable or StatusCode.DeadlineExceeded or StatusCode.ResourceExhausted)
        {
            return HealthCheckResult.Degraded($"The inbox at {_options.Address} does not answer: {silent.Status.Detail}", silent);
        }
        catch (RpcException refused)
        {
            return HealthCheckResult.Unhealthy(GrpcErrors.ToException(refused, "", _options.Address).Message, refused);
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await Inbox.DisposeListenersAsync().ConfigureAwait(false);
        _connection.Dispose();
    }

    internal static int MaxMessageBytes(GrpcOptions options) => options.Poison.MaxBodyBytes + options.Poison.MaxHeaderBytes;

    private async ValueTask<GrpcListener> StoreAsync(TransportBinding binding, GrpcStore store, EnvelopeReceiver receiver, CancellationToken ct)
    {
        var transport = _stores?.Invoke(store.Transport) ?? throw new PostriderException(PostriderError.Configuration, $"The binding of '{binding.Source}' has a Store on transport '{store.Transport}', and the transport '{Name}' was created without others.");
        if (!transport.Abilities.HasFlag(TransportAbilities.Durability))
            throw new PostriderException(PostriderError.Configuration, $"The binding of '{binding.Source}' has a Store on transport '{store.Transport}', which does not keep messages: use one with {TransportAbilities.Durability}.");
        var sender = transport.OpenSender(store.Binding.Source);
        var stored = await transport.ListenAsync(store.Binding, receiver, ct).ConfigureAwait(false);
        return new GrpcListener(Inbox, _options, binding, sender, stored);
    }
}
