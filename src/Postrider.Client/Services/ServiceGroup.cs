
namespace Postrider.Client.Services;

/// <summary>A common beginning of subjects for endpoints.</summary>
public sealed class ServiceGroup
{
    private readonly NatsService _service;
    private readonly string _prefix;
    private readonly string? _queueGroup;

    internal ServiceGroup(NatsService service, string prefix, string? queueGroup)
        => (_service, _prefix, _queueGroup) = (service, prefix, queueGroup);

    /// <summary>Makes a group below this one.</summary>
    /// <param name="name">The further beginning.</param>
    /// <param name="queueGroup">The queue group of its endpoints; null for this group's.</param>
    /// <returns>The group.</returns>
    public ServiceGroup AddGroup(string name, string? queueGroup = null) => new(_service, $"{_prefix}.{name}", queueGroup ?? _queueGroup);

    /// <summary>Adds an endpoint whose subject begins with the group's.</summary>
    /// <typeparam name="TRequest">The request's type.</typeparam>
    /// <typeparam name="TReply">The reply's type.</typeparam>
    /// <param name="name">The endpoint's name.</param>
    /// <param name="handler">As of the service.</param>
    /// <param name="options">Everything else.</param>
    /// <param name="requestSerializer">The request's serializer; null finds one.</param>
    /// <param name="replySerializer">The reply's serializer; null finds one.</param>
    /// <returns>The service.</returns>
    public NatsService AddEndpoint<TRequest, TReply>(
        string name,
        Func<NatsMessage<TRequest>, CancellationToken, ValueTask<TReply>> handler,
        EndpointOptions? options = null,
        IPayloadSerializer<TRequest>? requestSerializer = null,
        IPayloadSerializer<TReply>? replySerializer = null)
        => _service.Add(_prefix, _queueGroup, name, handler, options ?? new EndpointOptions(), requestSerializer, replySerializer);

    /// <summary>Adds an endpoint whose handler answers by itself, with headers and payloads of its own choice, failures among them.</summary>
    /// <typeparam name="TRequest">The request.</typeparam>
    /// <param name="name">Letters, digits, - and _.</param>
    /// <param name="handler">Answers by <c>ReplyAsync</c>; gives what went wrong for the figures, of the form <c>code:description</c>, or null.</param>
    /// <param name="options">Its subject below the group's, queue group, metadata and concurrency.</param>
    /// <param name="requestSerializer">Reads requests; null for the client's own.</param>
    /// <returns>The service.</returns>
    /// <exception cref="NatsClientException">The name or the subject is not allowed: <see cref="NatsErrorCode.InvalidArgument"/>.</exception>
    public NatsService AddResponderEndpoint<TRequest>(
        string name,
        Func<NatsMessage<TRequest>, CancellationToken, ValueTask<string?>> handler,
        EndpointOptions? options = null,
        IPayloadSerializer<TRequest>? requestSerializer = null)
        => _service.AddResponder(_prefix, _queueGroup, name, handler, options ?? new EndpointOptions(), requestSerializer);
}
