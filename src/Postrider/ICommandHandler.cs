namespace Postrider;

/// <summary>Handles a command without a result; found by the generator.</summary>
/// <typeparam name="TCommand">The message.</typeparam>
public interface ICommandHandler<in TCommand>
    where TCommand : ICommand
{
    /// <summary>Handles <paramref name="command"/>.</summary>
    /// <param name="command">The message.</param>
    /// <param name="ct">The caller's cancellation.</param>
    /// <returns>Completes when the command has been handled.</returns>
    ValueTask Handle(TCommand command, CancellationToken ct);
}
