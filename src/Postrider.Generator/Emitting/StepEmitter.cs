using System.Collections.Generic;
using System.Linq;
using Postrider.Generator.Model;

namespace Postrider.Generator.Emitting;

/// <summary>Writes the classes of a pipeline's steps.</summary>
internal static class StepEmitter
{
    private const string Tasks = "global::System.Threading.Tasks.";
    private const string Token = "global::System.Threading.CancellationToken";
    private const string Provider = "global::System.IServiceProvider";

    internal static void EmitHandler(
        Source source, EntryModel entry, string step, string pipeline, string module, StepGroup hooks, HandlerInstances instances)
    {
        var call = new HandlerCall(entry, entry.Handlers[0], instances, isNotification: false);
        using (source.Block($"private sealed class {step} : {pipeline}"))
        {
            if (!hooks.IsHooks)
            {
                call.EmitFields(source, step, module);
                using (source.Block(Signature(entry)))
                    source.Line(call.AsRequest());
                return;
            }

            for (var i = 0; i < hooks.Middleware.Count; i++)
                AddHookField(call, hooks.Middleware[i], i);
            call.EmitFields(source, step, module);
            source.Line("[global::System.Runtime.CompilerServices.MethodImpl(global::System.Runtime.CompilerServices.MethodImplOptions.AggressiveInlining)]");
            using (source.Block($"private {Tasks}ValueTask<{entry.Response}> Call({entry.Message.Full} message, object? state, {Token} ct)"))
                source.Line(call.AsRequest());
            EmitHooks(source, entry, hooks.Middleware, "Call(message, state, ct)");
        }
    }

    internal static void EmitMiddleware(Source source, EntryModel entry, string step, string pipeline, StepGroup group)
    {
        using (source.Block($"private sealed class {step} : {pipeline}"))
        {
            source.Line($"private readonly {pipeline} _next;");
            var makes = new List<string> { "_next = next;" };
            if (group.IsHooks)
            {
                for (var i = 0; i < group.Middleware.Count; i++)
                {
                    source.Line($"private readonly {group.Middleware[i].Full} _hook{i};");
                    makes.Add($"_hook{i} = {Made(group.Middleware[i], "root")};");
                }

                EmitConstructor(source, step, pipeline, makes);
                EmitHooks(source, entry, group.Middleware, "_next.Invoke(message, state, ct)");
                return;
            }

            var applied = group.Middleware[0];
            var receiver = Receiver(source, entry, applied, makes);
            EmitConstructor(source, step, pipeline, makes);
            var next = (entry.Kind == MessageKind.Stream ? "global::Postrider.NextStream" : "global::Postrider.Next")
                + $"<{entry.Message.Full}, {entry.Response}>";
            var contract = applied.Middleware.Shape.HasFlag(MiddlewareShape.ContextMiddleware)
                ? "global::Postrider.Dispatch.CallState.Context(state), "
                : "";
            var shape = applied.Middleware.Shape;
            var isAround = (shape & (MiddlewareShape.PreProcessor | MiddlewareShape.PostProcessor | MiddlewareShape.ExceptionHandler | MiddlewareShape.ExceptionAction)) != MiddlewareShape.None;
            using (source.Block(isAround ? Signature(entry).Replace("override", "override async") : Signature(entry)))
            {
                if (isAround)
                    EmitAround(source, applied, receiver);
                else
                    source.Line($"return {receiver}.Handle(message, {contract}new {next}(_next, state), ct);");
            }
        }
    }

    // Processors and exception handlers: what they would have to write around the rest, written for them.
    private static void EmitAround(Source source, AppliedMiddleware applied, string receiver)
    {
        var shape = applied.Middleware.Shape;
        var exception = MiddlewareFit.Fill(applied.Middleware.Exception, applied.Arguments);
        const string Await = ".ConfigureAwait(false)";
        const string Rest = "await _next.Invoke(message, state, ct).ConfigureAwait(false)";
        if (shape.HasFlag(MiddlewareShape.PreProcessor))
            source.Line($"await {receiver}.Process(message, ct){Await};");
        if (shape.HasFlag(MiddlewareShape.PostProcessor))
        {
            source.Line($"var response = {Rest};");
            source.Line($"await {receiver}.Process(message, response, ct){Await};");
            source.Line("return response;");
        }
        else if (shape.HasFlag(MiddlewareShape.ExceptionHandler))
        {
            source.Line($"try {{ return {Rest}; }}");
            using (source.Block($"catch ({exception} error)"))
            {
                source.Line($"var handled = await {receiver}.Handle(message, error, ct){Await};");
                source.Line("if (handled.IsHandled) return handled.Response;");
                source.Line("throw;");
            }
        }
        else if (shape.HasFlag(MiddlewareShape.ExceptionAction))
        {
            source.Line($"try {{ return {Rest}; }}");
            source.Line($"catch ({exception} error) {{ await {receiver}.Act(message, error, ct){Await}; throw; }}");
        }
        else
        {
            source.Line($"return {Rest};");
        }
    }

    // The instance a call goes to: kept in the step when it lives once, otherwise found or made per call.
    private static string Receiver(Source source, EntryModel entry, AppliedMiddleware applied, List<string> makes)
    {
        var instance = applied.Middleware.Instance;
        var services = HandlerCall.Services(entry, isNotification: false);
        if (instance.Lifetime == Lifetime.Singleton)
        {
            source.Line($"private readonly {applied.Full} _middleware;");
            makes.Add($"_middleware = {Made(applied, "root")};");
            return "_middleware";
        }

        if (instance.Lifetime == Lifetime.Scoped || instance.IsDisposable)
            return HandlerInstances.Resolve(applied.Full, services);

        source.Line($"private readonly {Provider} _root;");
        makes.Add("_root = root;");
        return HandlerInstances.New(instance, applied.Full, applied.Arguments, services, "_root");
    }

    private static void EmitConstructor(Source source, string step, string pipeline, List<string> makes)
    {
        using (source.Block($"internal {step}({Provider} root, {pipeline} next)"))
        {
            foreach (var line in makes)
                source.Line(line);
        }
    }

    // Hooks are called in line: no frame of their own while the handler completes at once.
    private static void EmitHooks(Source source, EntryModel entry, List<AppliedMiddleware> hooks, string inner)
    {
        var before = Calls(hooks, MiddlewareShape.Before, i => $"_hook{i}.Before(message);", reverse: false);
        var after = Calls(hooks, MiddlewareShape.After, i => $"_hook{i}.After(message, response);", reverse: true);
        var ends = hooks.Any(h => h.Middleware.Shape.HasFlag(MiddlewareShape.Finally));
        using (source.Block(Signature(entry)))
        {
            source.Line($"{entry.Response} response;");
            if (!ends)
                Straight();
            else
            {
                using (source.Block("try"))
                    Straight();
                using (source.Block("catch (global::System.Exception error)"))
                {
                    source.Line(End("error"));
                    source.Line("throw;");
                }

                source.Line(End("null"));
            }

            source.Line($"return new {Tasks}ValueTask<{entry.Response}>(response);");
        }

        using (source.Block($"private async {Tasks}ValueTask<{entry.Response}> Wait({Tasks}ValueTask<{entry.Response}> task, {entry.Message.Full} message)"))
        {
            source.Line($"{entry.Response} response;");
            if (ends)
                source.Line("try {");
            source.Line("response = await task.ConfigureAwait(false);");
            source.Line(after);
            if (ends)
                source.Line($"}} catch (global::System.Exception error) {{ {End("error")} throw; }} {End("null")}");
            source.Line("return response;");
        }

        void Straight()
        {
            source.Line(before);
            source.Line($"var task = {inner};");
            source.Line("if (!task.IsCompletedSuccessfully) return Wait(task, message);");
            source.Line("response = task.Result;");
            source.Line(after);
        }

        string End(string error)
            => Calls(hooks, MiddlewareShape.Finally, i => $"_hook{i}.Finally(message, {error});", reverse: true);
    }

    private static string Calls(
        List<AppliedMiddleware> hooks, MiddlewareShape shape, System.Func<int, string> call, bool reverse)
    {
        var indexes = Enumerable.Range(0, hooks.Count).Where(i => hooks[i].Middleware.Shape.HasFlag(shape));
        return string.Join(" ", (reverse ? indexes.Reverse() : indexes).Select(call));
    }

    private static void AddHookField(HandlerCall call, AppliedMiddleware hook, int index)
        => call.AddField(hook.Full, "_hook" + index, Made(hook, "root"));

    private static string Made(AppliedMiddleware applied, string root)
        => applied.Middleware.Instance.IsDisposable
            ? HandlerInstances.Resolve(applied.Full, root)
            : HandlerInstances.New(applied.Middleware.Instance, applied.Full, applied.Arguments, root, root);

    private static string Signature(EntryModel entry)
    {
        var returns = entry.Kind == MessageKind.Stream
            ? $"global::System.Collections.Generic.IAsyncEnumerable<{entry.Response}>"
            : $"{Tasks}ValueTask<{entry.Response}>";
        return $"public override {returns} Invoke({entry.Message.Full} message, object? state, {Token} ct)";
    }
}
