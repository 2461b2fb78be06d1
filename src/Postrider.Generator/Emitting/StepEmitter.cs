using System.Collections.Generic;
using Postrider.Generator.Model;

namespace Postrider.Generator.Emitting;

/// <summary>Writes the classes of a pipeline's steps.</summary>
internal static class StepEmitter
{
    private const string Tasks = "global::System.Threading.Tasks.";
    private const string Token = "global::System.Threading.CancellationToken";
    private const string Provider = "global::System.IServiceProvider";

    internal static void EmitHandler(
        Source source, EntryModel entry, StepShape shape, string step, string module, StepGroup hooks, HandlerInstances instances)
    {
        var call = new HandlerCall(entry, entry.Handlers[0], instances, isNotification: false);
        using (source.Block($"private sealed class {step} : {shape.Pipeline}"))
        {
            if (!hooks.IsHooks)
            {
                call.EmitFields(source, step, module);
                using (source.Block(shape.Signature))
                    source.Line(call.AsRequest());
                return;
            }

            var inLine = new HookEmitter(shape, hooks.Middleware);
            foreach (var (type, name, made) in inLine.Fields)
                call.AddField(type, name, made);
            if (inLine.NeedsRoot)
                call.Root();
            call.EmitFields(source, step, module);
            source.Line("[global::System.Runtime.CompilerServices.MethodImpl(global::System.Runtime.CompilerServices.MethodImplOptions.AggressiveInlining)]");
            using (source.Block($"private {Tasks}ValueTask<{shape.Response}> Call({shape.Message} message, object? state, {Token} ct)"))
                source.Line(call.AsRequest());
            inLine.Emit(source, "Call(message, state, ct)");
        }
    }

    internal static void EmitMiddleware(Source source, StepShape shape, string step, StepGroup group)
    {
        using (source.Block($"private sealed class {step} : {shape.Pipeline}"))
        {
            source.Line($"private readonly {shape.Pipeline} _next;");
            var makes = new List<string> { "_next = next;" };
            if (group.IsHooks)
            {
                var hooks = new HookEmitter(shape, group.Middleware);
                foreach (var (type, name, made) in hooks.Fields)
                {
                    source.Line($"private readonly {type} {name};");
                    makes.Add($"{name} = {made};");
                }

                if (hooks.NeedsRoot)
                    EmitRoot(source, makes);
                EmitConstructor(source, shape, step, makes);
                hooks.Emit(source, "_next.Invoke(message, state, ct)");
                return;
            }

            var applied = group.Middleware[0];
            var receiver = Receiver(source, shape, applied, makes);
            EmitConstructor(source, shape, step, makes);
            var contract = applied.Middleware.Shape.HasFlag(MiddlewareShape.ContextMiddleware)
                ? "global::Postrider.Dispatch.CallState.Context(state), "
                : "";
            var isAround = (applied.Middleware.Shape & MiddlewareShape.Around) != MiddlewareShape.None;
            using (source.Block(isAround ? shape.Signature.Replace("override", "override async") : shape.Signature))
            {
                if (isAround)
                    EmitAround(source, shape, applied, receiver);
                else
                    source.Line($"return {receiver}.Handle(message, {contract}new {shape.Next}(_next, state), ct);");
            }
        }
    }

    // Processors and exception handlers: what they would have to write around the rest, written for them.
    private static void EmitAround(Source source, StepShape step, AppliedMiddleware applied, string receiver)
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
            return;
        }

        if ((shape & MiddlewareShape.Exceptions) == MiddlewareShape.None)
        {
            source.Line($"return {Rest};");
            return;
        }

        source.Line($"try {{ return {Rest}; }}");
        using (source.Block($"catch ({exception} error)"))
        {
            if (shape.HasFlag(MiddlewareShape.ExceptionAction))
                source.Line($"await {receiver}.Act(message, error, ct){Await};");
            if (shape.HasFlag(MiddlewareShape.CompatExceptionAction))
                source.Line($"await {receiver}.Execute(message, error, ct){Await};");
            if (shape.HasFlag(MiddlewareShape.ExceptionHandler))
            {
                source.Line($"var handled = await {receiver}.Handle(message, error, ct){Await};");
                source.Line("if (handled.IsHandled) return handled.Response;");
            }

            if (shape.HasFlag(MiddlewareShape.CompatExceptionHandler))
            {
                source.Line($"var outcome = new global::Postrider.Compat.MediatR.RequestExceptionHandlerState<{step.Response}>();");
                source.Line($"await {receiver}.Handle(message, error, outcome, ct){Await};");
                source.Line("if (outcome.Handled) return outcome.Response!;");
            }

            source.Line("throw;");
        }
    }

    // The instance a call goes to: kept in the step when it lives once, otherwise found or made per call.
    private static string Receiver(Source source, StepShape shape, AppliedMiddleware applied, List<string> makes)
    {
        var instance = applied.Middleware.Instance;
        if (instance.Lifetime == Lifetime.Singleton)
        {
            source.Line($"private readonly {applied.Full} _middleware;");
            makes.Add($"_middleware = {HandlerInstances.Once(applied, "root")};");
            return "_middleware";
        }

        if (!HandlerInstances.IsOwned(instance))
            EmitRoot(source, makes);
        return HandlerInstances.PerCall(applied, shape.Services, "_root");
    }

    private static void EmitRoot(Source source, List<string> makes)
    {
        source.Line($"private readonly {Provider} _root;");
        makes.Add("_root = root;");
    }

    private static void EmitConstructor(Source source, StepShape shape, string step, List<string> makes)
    {
        using (source.Block($"internal {step}({Provider} root, {shape.Pipeline} next)"))
        {
            foreach (var line in makes)
                source.Line(line);
        }
    }
}
