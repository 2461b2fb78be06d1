using Postrider.Envelopes;
using Postrider.Transports;

namespace Postrider.Dispatch;

/// <summary>What is said to <c>AddPostrider</c>: handlers that are elsewhere, and handlers that tests replace.</summary>
/// <remarks>Read while pipelines are composed: changes after a message's first use have no effect on its type.</remarks>
public sealed class DispatchOptions
{
    internal Dictionary<Type, MessageRegistration> Overrides { get; } = [];

    /// <summary>Whether every call makes an activity and is measured; see <see cref="Diagnostics.DispatchTelemetry"/>. Off, it
    /// costs nothing: pipelines are composed without it.</summary>
    public bool Telemetry { get; set; }

    /// <summary>How the handlers of a notification are called when neither it nor its project says so.</summary>
    public PublishStrategy DefaultStrategy { get; set; }

    /// <summary>How many messages may wait for the background worker; who adds one waits while there are as many.</summary>
    public int BackgroundQueueLength { get; set; } = 1024;

    /// <summary>Sends a message type to another process.</summary>
    /// <typeparam name="TRequest">The message.</typeparam>
    /// <typeparam name="TResponse">The response.</typeparam>
    /// <param name="transport">Finds the transport in the container.</param>
    /// <param name="codec">Encodes the message and decodes the response.</param>
    /// <param name="destination">Where the handler listens, in the transport's words.</param>
    /// <returns>These options.</returns>
    public DispatchOptions Route<TRequest, TResponse>(
        Func<IServiceProvider, ITransport> transport, ICodec codec, string destination)
        where TRequest : notnull
    {
        Overrides[typeof(TRequest)] = new RequestRegistration<TRequest, TResponse>(
            root => new RemoteHandler<TRequest, TResponse>(transport(root), codec, destination),
            new MessageDescription(
                typeof(TRequest).ToString(), "request", typeof(TResponse).ToString(), [$"remote '{destination}'"], [], PipelineNeeds.None,
                HandlerLifetime.Singleton));
        return this;
    }

    /// <summary>Replaces a handler, in tests.</summary>
    /// <typeparam name="TRequest">The message.</typeparam>
    /// <typeparam name="TResponse">The response.</typeparam>
    /// <param name="handler">Called instead of the handler and its middleware.</param>
    /// <returns>These options.</returns>
    public DispatchOptions Replace<TRequest, TResponse>(Func<TRequest, CancellationToken, ValueTask<TResponse>> handler)
        where TRequest : notnull
    {
        Overrides[typeof(TRequest)] = new RequestRegistration<TRequest, TResponse>(
            _ => new DelegateHandler<TRequest, TResponse>(handler),
            new MessageDescription(
                typeof(TRequest).ToString(), "request", typeof(TResponse).ToString(), ["replaced"], [], PipelineNeeds.None,
                HandlerLifetime.Singleton));
        return this;
    }
}
