namespace Postrider;

/// <summary>A message that changes something and has no result.</summary>
public interface ICommand : IRequest<Unit>;
