namespace Postrider;

/// <summary>A message that asks and changes nothing; middleware for queries only (caching, say) can be bound to it.</summary>
/// <typeparam name="TResponse">What the handler returns.</typeparam>
public interface IQuery<TResponse> : IRequest<TResponse>;
