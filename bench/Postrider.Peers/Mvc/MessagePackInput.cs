using MessagePack;
using Microsoft.AspNetCore.Mvc.Formatters;

namespace Postrider.Benchmarks.Peers.Mvc;

/// <summary>Reads bodies of MVC's actions with MessagePack-CSharp.</summary>
internal sealed class MessagePackInput : InputFormatter
{
    internal const string MediaType = "application/x-msgpack";

    public MessagePackInput() => SupportedMediaTypes.Add(MediaType);

    public override async Task<InputFormatterResult> ReadRequestBodyAsync(InputFormatterContext context)
        => await InputFormatterResult.SuccessAsync((await MessagePackSerializer.DeserializeAsync(context.ModelType, context.HttpContext.Request.Body, cancellationToken: context.HttpContext.RequestAborted))!);
}
