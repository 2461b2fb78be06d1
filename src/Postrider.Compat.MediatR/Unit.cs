namespace Postrider.Compat.MediatR;

/// <summary>The response of a request without one, as in MediatR. Behaviors, processors and exception handlers of
/// <see cref="IRequest"/> see it.</summary>
public readonly record struct Unit
{
    private static readonly Unit s_value;

    /// <summary>The only value.</summary>
    public static ref readonly Unit Value => ref s_value;

    /// <summary>A completed task of the only value.</summary>
    public static Task<Unit> Task { get; } = System.Threading.Tasks.Task.FromResult(default(Unit));

    /// <inheritdoc/>
    public override string ToString() => "()";
}
