namespace Postrider.Middleware;

/// <summary>Marks messages that run in a transaction; implement it to apply
/// <see cref="TransactionMiddleware{TRequest, TResponse}"/>.</summary>
public interface ITransactional;
