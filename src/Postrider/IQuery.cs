namespace Postrider;

/// <summary>A message that reads without changing anything; middleware for queries, such as caching, can be restricted to it.</summary>
/// <typeparam name="TResponse">What the handler returns.</typeparam>
public interface IQuery<TResponse> : IRequest<TResponse>;
