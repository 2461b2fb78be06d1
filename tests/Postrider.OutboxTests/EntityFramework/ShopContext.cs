using Microsoft.EntityFrameworkCore;
using Postrider.Outbox.EntityFrameworkCore;

namespace Postrider.OutboxTests.EntityFramework;

internal sealed class ShopContext(DbContextOptions<ShopContext> options) : DbContext(options)
{
    public DbSet<Sale> Sales => Set<Sale>();

    protected override void OnModelCreating(ModelBuilder modelBuilder) => modelBuilder.AddPostriderOutbox(new() { Outbox = "shop_outbox", Inbox = "shop_inbox", Relay = "shop_relay", Saga = "shop_saga" });
}

internal sealed class Sale
{
    public long Id { get; set; }

    public long Number { get; set; }
}
