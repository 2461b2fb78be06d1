namespace Postrider;

/// <summary>A message that changes something and returns a result.</summary>
/// <typeparam name="TResponse">The handler's result.</typeparam>
public interface ICommand<TResponse> : IRequest<TResponse>;
