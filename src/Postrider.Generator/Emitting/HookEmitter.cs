using System.Collections.Generic;
using System.Linq;
using Postrider.Generator.Model;
using Postrider.Generators;

namespace Postrider.Generator.Emitting;

/// <summary>Writes consecutive hooks: called inline, without a state machine of their own while the handler completes synchronously.</summary>
internal sealed class HookEmitter(StepShape shape, List<AppliedMiddleware> hooks)
{

    /// <summary>The hooks that live once, as fields of the step.</summary>
    internal IEnumerable<(string Type, string Name, string Made)> Fields
        => Indexes.Where(IsKept).Select(i => (hooks[i].Full, Name(i), HandlerInstances.Once(hooks[i], "root")));

    private IEnumerable<int> Indexes => Enumerable.Range(0, hooks.Count);

    internal void Emit(SourceWriter source, string inner)
    {
        var before = Calls(MiddlewareShape.Before, i => $"{Name(i)}.Before(message);", reverse: false);
        var after = Calls(MiddlewareShape.After, i => $"{Name(i)}.After(message, response);", reverse: true);
        var ends = hooks.Any(h => h.Middleware.Shape.HasFlag(MiddlewareShape.Finally));
        var own = Indexes.Where(i => !IsKept(i)).ToList();
        using (source.Block($"public override {shape.Signature}"))
        {
            foreach (var i in own)
                source.Line($"var {Name(i)} = {PerCall(i).Instance};");
            source.Line($"{shape.Response} response;");
            if (!ends)
                Straight();
            else
            {
                using (source.Block("try"))
                    Straight();
                using (source.Block("catch (_S::Exception error)"))
                {
                    source.Line(End("error"));
                    source.Line("throw;");
                }

                source.Line(End("null"));
            }

            source.Line($"return new _T::ValueTask<{shape.Response}>(response);");
        }

        var parameters = string.Concat(own.Select(i => $", {hooks[i].Full} {Name(i)}"));
        using (source.Block($"private async _T::ValueTask<{shape.Response}> Wait(_T::ValueTask<{shape.Response}> task, {shape.Message} message{parameters})"))
        {
            source.Line($"{shape.Response} response;");
            if (ends)
                source.Line("try {");
            source.Line("response = await task.ConfigureAwait(false);");
            source.Line(after);
            if (ends)
                source.Line($"}} catch (_S::Exception error) {{ {End("error")} throw; }} {End("null")}");
            source.Line("return response;");
        }

        void Straight()
        {
            source.Line(before);
            source.Line($"var task = {inner};");
            source.Line($"if (!task.IsCompletedSuccessfully) return Wait(task, message{string.Concat(own.Select(i => ", " + Name(i)))});");
            source.Line("response = task.Result;");
            source.Line(after);
        }

        string End(string error)
            => Calls(MiddlewareShape.Finally, i => $"{Name(i)}.Finally(message, {error});", reverse: true);
    }

    /// <summary>Writes the factories of the others, if a scope keeps or disposes them.</summary>
    internal void EmitMakers(SourceWriter source)
    {
        foreach (var i in Indexes.Where(i => !IsKept(i) && PerCall(i).Maker.Length > 0))
            source.Line(PerCall(i).Maker);
    }

    private (string Instance, string Maker) PerCall(int index) => HandlerInstances.PerCall(
        hooks[index].Middleware.Instance, hooks[index].Full, hooks[index].Arguments, "state", shape.Services, "root", "_make" + index);

    private bool IsKept(int index) => hooks[index].Middleware.Instance.Lifetime == Lifetime.Singleton;

    private string Name(int index) => (IsKept(index) ? "_hook" : "hook") + index;

    private string Calls(MiddlewareShape wanted, System.Func<int, string> call, bool reverse)
    {
        var indexes = Indexes.Where(i => hooks[i].Middleware.Shape.HasFlag(wanted));
        return string.Join(" ", (reverse ? indexes.Reverse() : indexes).Select(call));
    }
}
