namespace Postrider;

/// <summary>A hook that is called before the handler; throw to reject the message.</summary>
/// <typeparam name="TRequest">The message, or a type parameter for any.</typeparam>
public interface IBeforeHook<in TRequest>
{
    /// <summary>Called before the handler, in the order of the hooks.</summary>
    /// <param name="request">The message.</param>
    void Before(TRequest request);
}
