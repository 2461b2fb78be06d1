using Postrider.Dispatch.Routes;

namespace Postrider.Dispatch;

/// <summary>The messages that the configuration or attributes may route.</summary>
/// <remarks>They are listed in code, so that a program that is trimmed or compiled ahead of time has what their routes need.</remarks>
public sealed class RoutableMessages
{
    private readonly List<Message> _all = [];

    internal RoutableMessages()
    {
    }

    internal IReadOnlyList<Message> All => _all;

    /// <summary>Adds a request.</summary>
    /// <typeparam name="TRequest">The message.</typeparam>
    /// <typeparam name="TResponse">The response.</typeparam>
    /// <returns>This list.</returns>
    public RoutableMessages Request<TRequest, TResponse>()
        where TRequest : IRequest<TResponse>
        => Add(typeof(TRequest), static (options, way) => options.RouteRequest<TRequest, TResponse>(way));

    /// <summary>Adds a command without a result.</summary>
    /// <typeparam name="TCommand">The message.</typeparam>
    /// <returns>This list.</returns>
    public RoutableMessages Command<TCommand>()
        where TCommand : ICommand
        => Add(typeof(TCommand), static (options, way) => options.RouteRequest<TCommand, Unit>(way));

    /// <summary>Adds a notification.</summary>
    /// <typeparam name="TNotification">The message.</typeparam>
    /// <returns>This list.</returns>
    public RoutableMessages Notification<TNotification>()
        where TNotification : INotification
        => Add(typeof(TNotification), static (options, way) => options.RouteNotification<TNotification>(way));

    /// <summary>Adds a stream request.</summary>
    /// <typeparam name="TRequest">The message.</typeparam>
    /// <typeparam name="TItem">The type of the items.</typeparam>
    /// <returns>This list.</returns>
    public RoutableMessages Stream<TRequest, TItem>()
        where TRequest : IStreamRequest<TItem>
        => Add(typeof(TRequest), static (options, way) => options.RouteStream<TRequest, TItem>(way));

    private RoutableMessages Add(Type type, Action<DispatchOptions, RouteWay> route)
    {
        _all.Add(new(type, route));
        return this;
    }

    /// <summary>A message, and how it is routed.</summary>
    internal sealed record Message(Type Type, Action<DispatchOptions, RouteWay> Route);
}
