namespace Postrider.Compat.MediatR;

/// <summary>Where behaviors stand: inside of exception actions and handlers, which the generator puts below this order.</summary>
internal static class BehaviorsOrder
{
    internal const int Behaviors = int.MinValue + 2000;
}
