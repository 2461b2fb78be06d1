namespace Postrider;

/// <summary>A message that changes something and returns a result.</summary>
/// <typeparam name="TResponse">What the handler returns.</typeparam>
public interface ICommand<TResponse> : IRequest<TResponse>;
