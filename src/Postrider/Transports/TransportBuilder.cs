using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Transports;

/// <summary>Adds bindings to a transport of the container: its sources, and the messages that arrive there.</summary>
public sealed class TransportBuilder
{
    private readonly List<Action<MessagePump>> _bindings;
    private readonly HashSet<Type> _received;

    internal TransportBuilder(IServiceCollection services, string name, List<Action<MessagePump>> bindings, HashSet<Type> received)
        => (Services, Name, _bindings, _received) = (services, name, bindings, received);

    /// <summary>The service collection.</summary>
    public IServiceCollection Services { get; }

    /// <summary>The transport's name.</summary>
    public string Name { get; }

    /// <summary>Handles requests that arrive at a source, and replies.</summary>
    /// <typeparam name="TRequest">The message.</typeparam>
    /// <typeparam name="TResponse">The response.</typeparam>
    /// <param name="binding">The source.</param>
    /// <returns>This builder.</returns>
    public TransportBuilder Request<TRequest, TResponse>(TransportBinding binding)
        where TRequest : IRequest<TResponse>
        => Receive<TRequest>(binding, pump => pump.Request<TRequest, TResponse>(binding));

    /// <summary>Handles commands without a result that arrive at a source.</summary>
    /// <typeparam name="TCommand">The message.</typeparam>
    /// <param name="binding">The source.</param>
    /// <returns>This builder.</returns>
    public TransportBuilder Command<TCommand>(TransportBinding binding)
        where TCommand : ICommand
        => Receive<TCommand>(binding, pump => pump.Command<TCommand>(binding));

    /// <summary>Handles stream requests that arrive at a source; the items are sent as the caller requests them.</summary>
    /// <typeparam name="TRequest">The message.</typeparam>
    /// <typeparam name="TItem">The type of the items.</typeparam>
    /// <param name="binding">The source.</param>
    /// <returns>This builder.</returns>
    public TransportBuilder Stream<TRequest, TItem>(TransportBinding binding)
        where TRequest : IStreamRequest<TItem>
        => Receive<TRequest>(binding, pump => pump.Stream<TRequest, TItem>(binding));

    /// <summary>Handles messages that arrive at a source in batches, by the handler of <see cref="MessageBatch{TMessage}"/>.</summary>
    /// <typeparam name="TMessage">The message.</typeparam>
    /// <param name="binding">The source. Its <see cref="TransportBinding.MaxConcurrency"/> is the number of messages that are held at
    /// once: at least those of one batch.</param>
    /// <param name="options">The size of the batches; null for the defaults.</param>
    /// <returns>This builder.</returns>
    public TransportBuilder Batch<TMessage>(TransportBinding binding, BatchOptions? options = null)
        where TMessage : notnull
        => Receive<TMessage>(binding, pump => pump.Batch<TMessage>(binding, options));

    /// <summary>Publishes notifications that arrive at a source to the handlers of the container.</summary>
    /// <typeparam name="TNotification">The message.</typeparam>
    /// <param name="binding">The source.</param>
    /// <returns>This builder.</returns>
    public TransportBuilder Notification<TNotification>(TransportBinding binding)
        where TNotification : INotification
        => Receive<TNotification>(binding, pump => pump.Notification<TNotification>(binding));

    /// <summary>Runs a middleware around the handling of every message that arrives through this transport.</summary>
    /// <param name="create">Creates the middleware, once; the first one that is added is the outermost.</param>
    /// <returns>This builder.</returns>
    public TransportBuilder Use(Func<IServiceProvider, IReceiveMiddleware> create)
    {
        ArgumentNullException.ThrowIfNull(create);
        return Add(pump => pump.Use(create));
    }

    private TransportBuilder Receive<TMessage>(TransportBinding binding, Action<MessagePump> bind)
    {
        _received.Add(typeof(TMessage));
        if (binding is AtLeastOnceBinding { DeadLetter: { } deadLetter }) Services.AddSingleton(new DeadLetterSource(Name, deadLetter));
        return Add(bind);
    }

    private TransportBuilder Add(Action<MessagePump> bind)
    {
        _bindings.Add(bind);
        return this;
    }
}
