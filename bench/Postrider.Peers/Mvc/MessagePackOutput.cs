using MessagePack;
using Microsoft.AspNetCore.Mvc.Formatters;

namespace Postrider.Benchmarks.Peers.Mvc;

/// <summary>Writes answers of MVC's actions with MessagePack-CSharp.</summary>
internal sealed class MessagePackOutput : OutputFormatter
{
    public MessagePackOutput() => SupportedMediaTypes.Add(MessagePackInput.MediaType);

    public override async Task WriteResponseBodyAsync(OutputFormatterWriteContext context)
    {
        var body = context.HttpContext.Response.BodyWriter;
        MessagePackSerializer.Serialize(context.ObjectType!, body, context.Object, cancellationToken: context.HttpContext.RequestAborted);
        await body.FlushAsync(context.HttpContext.RequestAborted);
    }
}
