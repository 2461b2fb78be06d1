
using Postrider.Serialization;

namespace Postrider.Client.Services;

/// <summary>A group of endpoints with a common subject prefix.</summary>
public sealed class ServiceGroup
{
    private readonly NatsService _service;
    private readonly string _prefix;
    private readonly string? _queueGroup;

    internal ServiceGroup(NatsService service, string prefix, string? queueGroup)
        => (_service, _prefix, _queueGroup) = (service, prefix, queueGroup);

    /// <summary>Creates a group within this one.</summary>
    /// <param name="name">The prefix, relative to this group's.</param>
    /// <param name="queueGroup">The queue group of its endpoints; null for this group's.</param>
    /// <returns>The group.</returns>
    public ServiceGroup AddGroup(string name, string? queueGroup = null) => new(_service, $"{_prefix}.{name}", queueGroup ?? _queueGroup);

    /// <summary>Adds an endpoint whose subject starts with the group's prefix.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TReply">The reply's type.</typeparam>
    /// <param name="name">The endpoint's name.</param>
    /// <param name="handler">As for the service.</param>
    /// <param name="options">Further options; null for the defaults.</param>
    /// <param name="requestSerializer">The request's serializer; null for the client's default.</param>
    /// <param name="replySerializer">The reply's serializer; null for the client's default.</param>
    /// <returns>The service.</returns>
    public NatsService AddEndpoint<TRequest, TReply>(
        string name,
        Func<NatsMessage<TRequest>, CancellationToken, ValueTask<TReply>> handler,
        EndpointOptions? options = null,
        Serializer<TRequest>? requestSerializer = null,
        Serializer<TReply>? replySerializer = null)
        => _service.Add(_prefix, _queueGroup, name, handler, options ?? new EndpointOptions(), requestSerializer, replySerializer);

    /// <summary>Adds an endpoint whose handler replies itself, with its own headers and payloads, also for failures.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <param name="name">The name: letters, digits, <c>-</c> and <c>_</c>.</param>
    /// <param name="handler">Replies with <c>ReplyAsync</c>; returns the error for the statistics, in the form <c>code:description</c>, or null.</param>
    /// <param name="options">Its subject relative to the group's, queue group, metadata and concurrency.</param>
    /// <param name="requestSerializer">The request's serializer; null for the client's default.</param>
    /// <returns>The service.</returns>
    /// <exception cref="NatsClientException">The name or the subject is not allowed: <see cref="NatsErrorCode.InvalidArgument"/>.</exception>
    public NatsService AddResponderEndpoint<TRequest>(
        string name,
        Func<NatsMessage<TRequest>, CancellationToken, ValueTask<string?>> handler,
        EndpointOptions? options = null,
        Serializer<TRequest>? requestSerializer = null)
        => _service.AddResponder(_prefix, _queueGroup, name, handler, options ?? new EndpointOptions(), requestSerializer);
}
