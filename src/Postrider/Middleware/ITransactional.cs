namespace Postrider.Middleware;

/// <summary>Marks messages that run in a transaction; implement it to have
/// <see cref="TransactionMiddleware{TRequest, TResponse}"/> fit.</summary>
public interface ITransactional;
