using System.Runtime.CompilerServices;

namespace Postrider.Dispatch;

/// <summary>Reads the state that a pipeline's entry hands down; called by generated steps.</summary>
/// <remarks>The casts are not checked: the generator calls the method that belongs to the message type's needs.</remarks>
public static class CallState
{
    /// <summary>The scope's services, for <see cref="PipelineNeeds.Scope"/>.</summary>
    /// <param name="state">What the entry handed down.</param>
    /// <returns>The scope's services.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static IServiceProvider Services(object? state)
        => state is HandlerScope scope ? scope.Services : Unsafe.As<IServiceProvider>(state!);

    /// <summary>A scoped instance.</summary>
    /// <param name="state">What the entry handed down; plain services say that the call needs no other.</param>
    /// <param name="type">The class.</param>
    /// <param name="make">Makes one from the scope's services.</param>
    /// <returns>The scope's instance.</returns>
    public static object Scoped(object? state, Type type, Func<IServiceProvider, object> make) => state switch
    {
        HandlerScope handlers => handlers.Get(type, make),
        MessageContext context => context.Handlers.Get(type, make),
        _ => HandlerScope.MakeAlone(Unsafe.As<IServiceProvider>(state!), type, make),
    };

    /// <summary>The context, for <see cref="PipelineNeeds.Context"/> and <see cref="PipelineNeeds.ScopeAndContext"/>.</summary>
    /// <param name="state">What the entry handed down.</param>
    /// <returns>The context.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static MessageContext Context(object? state) => Unsafe.As<MessageContext>(state!);

    /// <summary>The scope's services, where handlers with different needs share one call.</summary>
    /// <param name="state">What the entry handed down.</param>
    /// <returns>The scope's services.</returns>
    public static IServiceProvider AnyServices(object? state)
        => state is MessageContext context ? context.Services : Services(state);

    /// <summary>The services of a call, whatever its entry handed down.</summary>
    /// <param name="state">Nothing, the caller's origin, or what an entry makes.</param>
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

    /// <summary>Turns a command's task into a response.</summary>
    /// <param name="task">The handler's task.</param>
    /// <returns>A task with the empty response.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ValueTask<Unit> ToUnit(ValueTask task)
        => task.IsCompletedSuccessfully ? default : Wait(task);

    /// <summary>Turns a command's task into a response.</summary>
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
