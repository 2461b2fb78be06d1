namespace Postrider;

/// <summary>A message that reads without changing anything; middleware for queries, such as caching, can be restricted to it.</summary>
/// <typeparam name="TResponse">The handler's result.</typeparam>
public interface IQuery<TResponse> : IRequest<TResponse>;
