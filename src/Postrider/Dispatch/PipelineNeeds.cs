namespace Postrider.Dispatch;

/// <summary>The objects that a pipeline's entry creates for each call; determined by the generator from the handler and middleware.</summary>
[Flags]
public enum PipelineNeeds
{
    /// <summary>Neither a scope nor a context.</summary>
    None = 0,

    /// <summary>A scope, unless the call comes from one.</summary>
    Scope = 1,

    /// <summary>A <see cref="MessageContext"/> over the root's services.</summary>
    Context = 2,

    /// <summary>Both.</summary>
    ScopeAndContext = 3,
}
