using Postrider.Generator.Model;
using Postrider.Generators;

namespace Postrider.Generator.Emitting;

/// <summary>Writes the classes of a pipeline's steps.</summary>
internal static class StepEmitter
{

    internal static void EmitHandler(
        SourceWriter source, HandlerCall call, StepShape shape, string step, string module, StepGroup hooks)
    {
        using (source.Block($"private sealed class {step}({module} module, _S::IServiceProvider root) : {shape.Pipeline}"))
        {
            if (!hooks.IsHooks)
            {
                call.EmitFields(source);
                source.Line($"public override {shape.Signature}{call.AsRequest()}");
                return;
            }

            var inLine = new HookEmitter(shape, hooks.Middleware);
            foreach (var (type, name, made) in inLine.Fields)
                call.AddField(type, name, made);
            call.EmitFields(source);
            inLine.EmitMakers(source);
            source.Line("[_R::MethodImpl(_R::MethodImplOptions.AggressiveInlining)]");
            source.Line($"private _T::ValueTask<{shape.Response}> Call({shape.Message} message, object? state, _C ct){call.AsRequest()}");
            inLine.Emit(source, "Call(message, state, ct)");
        }
    }

    internal static void EmitMiddleware(SourceWriter source, StepShape shape, string step, StepGroup group)
    {
        using (source.Block($"private sealed class {step}(_S::IServiceProvider root, {shape.Pipeline} next) : {shape.Pipeline}"))
        {
            if (group.IsHooks)
            {
                var hooks = new HookEmitter(shape, group.Middleware);
                foreach (var (type, name, made) in hooks.Fields)
                    source.Line($"private readonly {type} {name} = {made};");
                hooks.EmitMakers(source);
                hooks.Emit(source, "next.Invoke(message, state, ct)");
                return;
            }

            var applied = group.Middleware[0];
            var receiver = Receiver(source, shape, applied);
            if ((applied.Middleware.Shape & MiddlewareShape.Around) != MiddlewareShape.None)
            {
                using (source.Block($"public override async {shape.Signature}"))
                    EmitAround(source, shape, applied, receiver);
                return;
            }

            var context = applied.Middleware.Shape.HasFlag(MiddlewareShape.ContextMiddleware) ? "_D::CallState.Context(state), " : "";
            var rest = "next";
            if (shape.Watch.Length > 0)
            {
                source.Line($"private readonly {shape.Watch} _rest = new {shape.Watch}(next);");
                rest = "_rest.Expect(state)";
            }

            source.Line($"public override {shape.Signature} => {receiver}.Handle(message, {context}new {shape.Next}({rest}, state), ct);");
        }
    }

    // Processors and exception handlers: the code around the rest is written for them.
    private static void EmitAround(SourceWriter source, StepShape step, AppliedMiddleware applied, string receiver)
    {
        var shape = applied.Middleware.Shape;
        var exception = MiddlewareFit.Fill(applied.Middleware.Exception, applied.Arguments);
        const string Await = ".ConfigureAwait(false)";
        const string Rest = "await next.Invoke(message, state, ct).ConfigureAwait(false)";
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
                var seen = MiddlewareFit.Fill(applied.Middleware.Response, applied.Arguments);
                source.Line($"var outcome = new global::Postrider.Compat.MediatR.RequestExceptionHandlerState<{seen}>();");
                source.Line($"await {receiver}.Handle(message, error, outcome, ct){Await};");
                source.Line($"if (outcome.Handled) return {(seen == step.Response ? "outcome.Response!" : "default")};");
            }

            source.Line("throw;");
        }
    }

    // The instance that a call uses: kept in the step if it is a singleton, otherwise found or created per call.
    private static string Receiver(SourceWriter source, StepShape shape, AppliedMiddleware applied)
    {
        if (applied.Middleware.Instance.Lifetime != Lifetime.Singleton)
        {
            var (instance, maker) = HandlerInstances.PerCall(
                applied.Middleware.Instance, applied.Full, applied.Arguments, "state", shape.Services, "root", "_make");
            if (maker.Length > 0)
                source.Line(maker);
            return instance;
        }

        HandlerInstances.EmitOnce(source, applied, "_middleware");
        return "_middleware";
    }
}
