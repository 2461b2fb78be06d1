using Microsoft.AspNetCore.Mvc;
using Postrider.Benchmarks.MessagePack;

namespace Postrider.Benchmarks.Rpc;

/// <summary>The echo as a controller of ASP.NET Core's MVC.</summary>
[ApiController]
[Route("mvc")]
public sealed class EchoController : ControllerBase
{
    /// <summary>Gives back what it was given.</summary>
    /// <param name="items">The items.</param>
    /// <returns>The items.</returns>
    [HttpPost("small")]
    public List<Small> PostSmall(List<Small> items) => items;

    /// <summary>Gives back what it was given.</summary>
    /// <param name="items">The items.</param>
    /// <returns>The items.</returns>
    [HttpPost("large")]
    public List<Large> PostLarge(List<Large> items) => items;
}
