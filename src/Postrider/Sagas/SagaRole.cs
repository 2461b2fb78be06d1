using System.ComponentModel;

namespace Postrider.Sagas;

/// <summary>The role of a method of a saga. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public enum SagaRole
{
    /// <summary>It handles a message of a saga that was started.</summary>
    Handles,

    /// <summary>It handles a message that may start a saga.</summary>
    Starts,

    /// <summary>It handles a timeout.</summary>
    Timeout,
}
