namespace Postrider.Dispatch;

/// <summary>Whether typed overloads of the generated dispatcher call handlers directly.</summary>
/// <remarks>Enabled, unless a container that replaces, routes or traces messages was set up before the first dispatch, or the switch
/// <c>Postrider.DirectCalls</c> is false: a test project that replaces handlers after others have run sets it.</remarks>
public static class DirectCalls
{
    /// <summary>The setting, which is fixed when first used. A static read-only field, so that optimised code contains one branch only
    /// and the message, which is then only passed to the handler, can live on the stack.</summary>
    public static readonly bool Enabled = DirectCallsChoice.Read();
}

/// <summary>The setting before its first use.</summary>
internal static class DirectCallsChoice
{
    private static volatile bool s_isOff;

    internal static void TurnOff() => s_isOff = true;

    internal static bool Read() => !s_isOff && (!AppContext.TryGetSwitch("Postrider.DirectCalls", out var on) || on);
}
