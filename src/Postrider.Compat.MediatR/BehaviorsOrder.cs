namespace Postrider.Compat.MediatR;

/// <summary>The order of behaviors: inside exception actions and handlers, which the generator places below this order.</summary>
internal static class BehaviorsOrder
{
    internal const int Behaviors = int.MinValue + 2000;
}
