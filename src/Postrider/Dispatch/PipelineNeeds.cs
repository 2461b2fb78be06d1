namespace Postrider.Dispatch;

/// <summary>What a pipeline's entry makes for each call; known when the generator has seen handler and middleware.</summary>
[Flags]
public enum PipelineNeeds
{
    /// <summary>Nothing: no scope, no context.</summary>
    None = 0,

    /// <summary>A scope, unless the call comes from one.</summary>
    Scope = 1,

    /// <summary>A <see cref="MessageContext"/> over the root's services.</summary>
    Context = 2,

    /// <summary>Both.</summary>
    ScopeAndContext = 3,
}
