namespace Postrider;

/// <summary>A hook that is called after the handler has ended, with or without an exception.</summary>
/// <typeparam name="TRequest">The message, or a type parameter for any.</typeparam>
public interface IFinallyHook<in TRequest>
{
    /// <summary>Called after the handler and after <see cref="IAfterHook{TRequest, TResponse}"/>, in the reverse order of the hooks.</summary>
    /// <param name="request">The message.</param>
    /// <param name="error">The exception of the handler or of another hook, or null.</param>
    void Finally(TRequest request, Exception? error);
}
