using System.Runtime.CompilerServices;

namespace Postrider.Dispatch;

/// <summary>Reads the state that a pipeline's entry passes to its steps; called by generated code.</summary>
/// <remarks>The casts are not checked: the generator calls the method that matches the message type's needs.</remarks>
public static class CallState
{
    /// <summary>The scope's services, for <see cref="PipelineNeeds.Scope"/>.</summary>
    /// <param name="state">The state from the entry.</param>
    /// <returns>The scope's services.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static IServiceProvider Services(object? state)
        => state is HandlerScope scope ? scope.Services : Unsafe.As<IServiceProvider>(state!);

    /// <summary>A scoped instance.</summary>
    /// <param name="state">The state from the entry; plain services mean that the call needs no scope.</param>
    /// <param name="type">The class.</param>
    /// <param name="make">Creates an instance from the scope's services.</param>
    /// <returns>The scope's instance.</returns>
    public static object Scoped(object? state, Type type, Func<IServiceProvider, object> make) => state switch
    {
        HandlerScope handlers => handlers.Get(type, make),
        MessageContext context => context.Handlers.Get(type, make),
        _ => HandlerScope.MakeAlone(Unsafe.As<IServiceProvider>(state!), type, make),
    };

    /// <summary>The context, for <see cref="PipelineNeeds.Context"/> and <see cref="PipelineNeeds.ScopeAndContext"/>.</summary>
    /// <param name="state">The state from the entry.</param>
    /// <returns>The context.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static MessageContext Context(object? state) => Unsafe.As<MessageContext>(state!);

    /// <summary>The scope's services, if handlers with different needs share one call.</summary>
    /// <param name="state">The state from the entry.</param>
    /// <returns>The scope's services.</returns>
    public static IServiceProvider AnyServices(object? state)
        => state is MessageContext context ? context.Services : Services(state);

    /// <summary>The services of a call, for any state.</summary>
    /// <param name="state">Null, the caller's origin, or the state from the entry.</param>
    /// <param name="root">The root's services, for a call that has no scope.</param>
    /// <returns>The services.</returns>
    public static IServiceProvider ServicesOr(object? state, IServiceProvider root) => state switch
    {
        HandlerScope handlers => handlers.Services,
        MessageContext context => context.Services,
        CallOrigin { Services: { } services } => services,
        IServiceProvider services => services,
        _ => root,
    };

    /// <summary>Converts the task of a command to a task of a response.</summary>
    /// <param name="task">The handler's task.</param>
    /// <returns>A task with the empty response.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ValueTask<Unit> ToUnit(ValueTask task)
        => task.IsCompletedSuccessfully ? default : Wait(task);

    /// <summary>Converts the task of a command to a task of a response.</summary>
    /// <param name="task">The handler's task.</param>
    /// <returns>A task with the empty response.</returns>
    public static ValueTask<Unit> ToUnit(Task task)
        => task.IsCompletedSuccessfully ? default : Wait(new ValueTask(task));

    /// <summary>Drops an empty response.</summary>
    /// <param name="task">The pipeline's task.</param>
    /// <returns>A task without a result.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ValueTask FromUnit(ValueTask<Unit> task)
        => task.IsCompletedSuccessfully ? default : new(task.AsTask());

    private static async ValueTask<Unit> Wait(ValueTask task)
    {
        await task.ConfigureAwait(false);
        return default;
    }
}
