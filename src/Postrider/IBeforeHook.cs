namespace Postrider;

/// <summary>A hook that is called in line before the handler; to refuse the message, throw.</summary>
/// <typeparam name="TRequest">The message, or a type parameter for any.</typeparam>
public interface IBeforeHook<in TRequest>
{
    /// <summary>Called before the handler, in the order of the hooks.</summary>
    /// <param name="request">The message.</param>
    void Before(TRequest request);
}
