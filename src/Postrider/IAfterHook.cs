namespace Postrider;

/// <summary>A hook that is called after the handler has succeeded.</summary>
/// <typeparam name="TRequest">The message, or a type parameter for any.</typeparam>
/// <typeparam name="TResponse">The response.</typeparam>
public interface IAfterHook<in TRequest, in TResponse>
{
    /// <summary>Called after the handler, in the reverse order of the hooks.</summary>
    /// <param name="request">The message.</param>
    /// <param name="response">The handler's response.</param>
    void After(TRequest request, TResponse response);
}
