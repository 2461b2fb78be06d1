using System.Text.RegularExpressions;
using Postrider.Client.Sessions;
using Postrider.Serialization;

namespace Postrider.Client.Services;

/// <summary>A NATS service: endpoints with a common name, discovery at <c>$SRV</c>, and statistics.</summary>
/// <remarks>Thread-safe. Source: NATS ADR-32.</remarks>
public sealed partial class NatsService : IAsyncDisposable
{
    private static readonly string[] Verbs = ["PING", "INFO", "STATS"];

    private readonly NatsSession _session;
    private readonly ServiceOptions _options;
    private readonly List<NatsSubscription> _discovery = [];

    // Guards the endpoints.
    private readonly Lock _gate = new();
    private readonly List<ServiceEndpoint> _endpoints = [];
    private DateTimeOffset _started;

    internal NatsService(NatsSession session, ServiceOptions options)
    {
        if (!NamePattern().IsMatch(options.Name))
            throw new NatsClientException(NatsErrorCode.InvalidArgument, $"Service name '{options.Name}' may only contain letters, digits, '-' and '_'.");
        if (!VersionPattern().IsMatch(options.Version))
            throw new NatsClientException(NatsErrorCode.InvalidArgument, $"Service version '{options.Version}' does not have the form 1.2.3.");
        (_session, _options) = (session, options);
        Id = session.Nuid.Next();
        _started = session.Options.TimeProvider.GetUtcNow();
        foreach (var verb in Verbs)
            foreach (var subject in new[] { $"$SRV.{verb}", $"$SRV.{verb}.{options.Name}", $"$SRV.{verb}.{options.Name}.{Id}" })
                _discovery.Add(Answer(verb, subject));
    }

    /// <summary>The instance's unique id.</summary>
    public string Id { get; }

    /// <summary>The service's name.</summary>
    public string Name => _options.Name;

    /// <summary>The reply to <c>$SRV.INFO</c>.</summary>
    public ServiceInfo Info => new()
    {
        Type = "io.nats.micro.v1.info_response",
        Name = Name,
        Id = Id,
        Version = _options.Version,
        Metadata = _options.Metadata,
        Description = _options.Description,
        Endpoints = [.. Endpoints().Select(static endpoint => endpoint.Info)],
    };

    /// <summary>The reply to <c>$SRV.STATS</c>.</summary>
    public ServiceStatistics Statistics => new()
    {
        Type = "io.nats.micro.v1.stats_response",
        Name = Name,
        Id = Id,
        Version = _options.Version,
        Metadata = _options.Metadata,
        Started = _started,
        Endpoints = [.. Endpoints().Select(static endpoint => endpoint.Statistics)],
    };

    /// <summary>Adds an endpoint.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TReply">The reply's type.</typeparam>
    /// <param name="name">The endpoint's name, and its subject unless the options set another one.</param>
    /// <param name="handler">Handles a request. A <see cref="NatsServiceException"/> becomes an error reply with its code;
    /// any other exception becomes one with code 500 and raises an event of the client.</param>
    /// <param name="options">Further options; null for the defaults.</param>
    /// <param name="requestSerializer">The request's serializer; null for the client's default.</param>
    /// <param name="replySerializer">The reply's serializer; null for the client's default.</param>
    /// <returns>This service.</returns>
    public NatsService AddEndpoint<TRequest, TReply>(
        string name,
        Func<NatsMessage<TRequest>, CancellationToken, ValueTask<TReply>> handler,
        EndpointOptions? options = null,
        Serializer<TRequest>? requestSerializer = null,
        Serializer<TReply>? replySerializer = null)
        => Add(null, null, name, handler, options ?? new EndpointOptions(), requestSerializer, replySerializer);

    /// <summary>Creates a group of endpoints with a common subject prefix.</summary>
    /// <param name="name">The prefix.</param>
    /// <param name="queueGroup">The queue group of its endpoints; null for the service's.</param>
    /// <returns>The group.</returns>
    public ServiceGroup AddGroup(string name, string? queueGroup = null) => new(this, name, queueGroup);

    /// <summary>Resets all statistics.</summary>
    public void ResetStatistics()
    {
        _started = _session.Options.TimeProvider.GetUtcNow();
        foreach (var endpoint in Endpoints()) endpoint.Reset();
    }

    /// <summary>Stops accepting requests and waits for the running ones.</summary>
    /// <returns>A task that completes when no request is running.</returns>
    public async ValueTask DisposeAsync()
    {
        foreach (var subscription in _discovery) await subscription.DisposeAsync().ConfigureAwait(false);
        if (_session.State != ConnectionState.Closed)
        {
            foreach (var endpoint in Endpoints()) await endpoint.Subscription!.DrainAsync().ConfigureAwait(false);
        }

        if (_options.Stopping is { } stopping) await stopping().ConfigureAwait(false);
    }

    internal NatsService Add<TRequest, TReply>(
        string? prefix,
        string? queueGroup,
        string name,
        Func<NatsMessage<TRequest>, CancellationToken, ValueTask<TReply>> handler,
        EndpointOptions options,
        Serializer<TRequest>? requestSerializer,
        Serializer<TReply>? replySerializer)
    {
        ArgumentNullException.ThrowIfNull(handler);
        var replies = replySerializer ?? _session.Serializers.Get<TReply>();
        return Listen(prefix, queueGroup, name, options, requestSerializer, endpoint => (request, ct) => endpoint.HandleAsync(request, handler, replies, ct));
    }

    internal NatsService AddResponder<TRequest>(
        string? prefix,
        string? queueGroup,
        string name,
        Func<NatsMessage<TRequest>, CancellationToken, ValueTask<string?>> handler,
        EndpointOptions options,
        Serializer<TRequest>? requestSerializer)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return Listen<TRequest>(prefix, queueGroup, name, options, requestSerializer, endpoint => (request, ct) => endpoint.HandleAsync(request, handler, ct));
    }

    [GeneratedRegex("^[a-zA-Z0-9_-]+$", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex NamePattern();

    [GeneratedRegex(@"^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$", RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: 1000)]
    private static partial Regex VersionPattern();

    private NatsService Listen<TRequest>(
        string? prefix,
        string? queueGroup,
        string name,
        EndpointOptions options,
        Serializer<TRequest>? requestSerializer,
        Func<ServiceEndpoint, Func<NatsMessage<TRequest>, CancellationToken, ValueTask>> answer)
    {
        if (!NamePattern().IsMatch(name))
            throw new NatsClientException(NatsErrorCode.InvalidArgument, $"Endpoint name '{name}' may only contain letters, digits, '-' and '_'.");
        var subject = prefix is null ? options.Subject ?? name : $"{prefix}.{options.Subject ?? name}";
        var group = options.QueueGroup ?? queueGroup ?? _options.QueueGroup;
        var endpoint = new ServiceEndpoint(name, subject, group, options.Metadata, _session.Options.TimeProvider);
        var subscription = new NatsSubscription<TRequest>(
            _session, subject, new SubscriptionOptions { QueueGroup = group, Concurrency = options.Concurrency }, requestSerializer ?? _session.Serializers.Get<TRequest>());
        _session.Subscribe(subscription);
        subscription.ReadBy(new HandlerLoop<TRequest>(subscription, answer(endpoint), options.Concurrency));
        endpoint.Subscription = subscription;
        lock (_gate) _endpoints.Add(endpoint);
        return this;
    }

    private ServiceEndpoint[] Endpoints()
    {
        lock (_gate) return [.. _endpoints];
    }

    private NatsSubscription<ReadOnlyMemory<byte>> Answer(string verb, string subject)
    {
        var subscription = new NatsSubscription<ReadOnlyMemory<byte>>(_session, subject, new SubscriptionOptions(), _session.Serializers.Get<ReadOnlyMemory<byte>>());
        _session.Subscribe(subscription);
        subscription.ReadBy(new HandlerLoop<ReadOnlyMemory<byte>>(subscription, (message, ct) => AnswerAsync(verb, message, ct), concurrency: 1));
        return subscription;
    }

    private ValueTask AnswerAsync(string verb, NatsMessage<ReadOnlyMemory<byte>> message, CancellationToken ct)
    {
        if (!message.ExpectsReply) return default;
        return verb switch
        {
            "PING" => message.ReplyAsync(new ServicePing { Name = Name, Id = Id, Version = _options.Version, Metadata = _options.Metadata }, null, ServiceJson.Ping, ct),
            "INFO" => message.ReplyAsync(Info, null, ServiceJson.Info, ct),
            _ => message.ReplyAsync(Statistics, null, ServiceJson.Statistics, ct),
        };
    }
}
