namespace Postrider.Dispatch;

/// <summary>Whether typed overloads call their handler directly. On unless the switch <c>Postrider.DirectCalls</c> says no,
/// as a test project does that replaces handlers.</summary>
public static class DirectCalls
{
    /// <summary>The switch, read once. A static read-only field, so that optimised code holds one branch only and the
    /// message, which then goes nowhere but into the handler, can live on the stack.</summary>
    public static readonly bool Enabled = !AppContext.TryGetSwitch("Postrider.DirectCalls", out var on) || on;
}
